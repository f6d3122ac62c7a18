// Review: what needs a look first, the picture frame by frame, the timeline, the drawn table in step, the verdict.

import { attempt } from "./api.js";
import { $, button, h, section } from "./dom.js";
import { DrawnTable } from "./drawn-table.js";
import { begin } from "./frame.js";
import { allItems, Review, reviews } from "./review-api.js";
import { drawAsks, drawExports, drawProof, drawShot } from "./review-side.js";
import { PictureMeasuring } from "./review-measure.js";
import { AROUND_S, Stage } from "./review-stage.js";
import { Timeline } from "./review-timeline.js";
import { lang, number, seconds, t } from "./words.js";

const mine = (text) => text?.[lang()] ?? text?.en ?? "";
const asked = new URLSearchParams(location.search);
const TRAIL_S = 30;

const view = {
  list: null,
  review: null,
  state: null,
  shots: [],
  items: [],
  found: null,
  role: "viewer",
  tab: "first",
  zoomed: true,
  tracks: null,
};
const drawn = new DrawnTable($("#drawn"), { upright: false });
const stage = new Stage((time) => atTime(time));
const timeline = new Timeline(
  (time) => stage.seek(time),
  (n) => view.select(n),
);
$("#stage").replaceChildren(stage.view, stage.controls);
$("#timeline").replaceChildren(timeline.node);

view.measuring = new PictureMeasuring(view, stage);
view.seek = (time) => stage.seek(time);
view.redraw = () => page.redraw();
view.time = () => stage.t;
view.balls = () => drawn.places;
view.refresh = () => load(view.review?.id, view.found?.record?.n);
view.select = (n, time = null) => select(n, time);

function draw(state, page) {
  view.role = page.line.role;
  stage.labels();
  section($("#reviews"), [view.list, view.review?.id, view.state?.title, lang()], () => picker());
  section($("#lists"), [view.tab, view.items, view.shots, view.found?.record?.n, view.review?.id, lang()], () =>
    lists(),
  );
  section($("#zoom"), [view.zoomed, view.found?.record?.n, lang()], () =>
    button(
      t(view.zoomed ? "review.whole" : "review.this_shot"),
      () => {
        view.zoomed = !view.zoomed;
        showTimeline();
        page.redraw();
      },
      { key: "zoom", disabled: !view.found },
    ),
  );
  drawAsks($("#asks"), questions(), view);
  drawShot($("#shot"), view.found, view);
  drawProof($("#proof"), view.found, view);
  drawExports($("#exports"), view.found, view);
  document.body.classList.toggle("empty", !view.review);
}

/** The open questions; their possible answers come with the list of what needs a look. */
function questions() {
  const same = (question, item) =>
    item.n === question.n &&
    item.question?.question === question.question &&
    (item.question.ball ?? null) === (question.ball ?? null);
  return (view.state?.questions ?? []).map((each) => ({
    ...each,
    choices: each.choices ?? view.items.find((item) => same(each, item))?.choices ?? [],
  }));
}

function picker() {
  if (view.list === null) return h("p", null, t("line.connecting"));
  if (!view.list.length)
    return h(
      "div",
      { class: "card nothing" },
      h("p", null, t("review.none")),
      h("p", { class: "faint" }, t("review.none_how")),
    );
  const reason = view.state?.video && !view.state.video.ok ? h("p", { class: "note" }, mine(view.state.video.text)) : null;
  return [
    h(
      "label",
      { class: "field grow" },
      h("span", null, t("review.which")),
      h(
        "select",
        { "data-key": "which", onchange: (event) => load(event.target.value) },
        view.list.map((each) =>
          h(
            "option",
            { value: each.id, selected: each.id === view.review?.id },
            `${each.title} · ${t(`games.${each.game}`)} · ${t("review.shots", { count: each.shots })}${each.look_first ? ` · ${t("review.to_look", { count: each.look_first })}` : ""}`,
          ),
        ),
      ),
    ),
    view.state
      ? h(
          "p",
          { class: "score-line" },
          Object.entries(view.state.score ?? {}).map(([side, points]) =>
            h("span", { class: "chip" }, `${side} ${number(points)}`),
          ),
        )
      : null,
    reason,
    (view.state?.warnings ?? []).length
      ? h(
          "details",
          { class: "warnings" },
          h("summary", { "data-key": "warnings" }, t("review.warnings", { count: view.state.warnings.length })),
          view.state.warnings.map((each) => h("p", { class: "note" }, typeof each === "string" ? each : mine(each))),
        )
      : null,
  ];
}

function lists() {
  const tab = (name, count) =>
    button(
      `${t(`review.tab.${name}`)} ${number(count)}`,
      () => {
        view.tab = name;
        page.redraw();
      },
      { key: `tab-${name}`, pressed: view.tab === name },
    );
  const rows = view.tab === "first" ? view.items.map(itemRow) : view.shots.map(shotRow);
  return [
    h(
      "div",
      { class: "seg", role: "group", "aria-label": t("review.tabs") },
      tab("first", view.items.length),
      tab("shots", view.shots.length),
    ),
    rows.length
      ? h("ol", { class: "shot-list", "data-scroll": true }, rows)
      : h("p", { class: "empty" }, t(view.tab === "first" ? "review.nothing_first" : "desk.no_shot")),
  ];
}

const itemRow = (item, i) =>
  h(
    "li",
    null,
    h(
      "button",
      {
        type: "button",
        class: `shot item ${item.n === view.found?.record?.n ? "current" : ""}`,
        "data-key": `item-${i}`,
        onclick: () => open(item),
      },
      h(
        "span",
        { class: "item-head" },
        h("span", { class: `kind ${item.kind}` }, t(`review.kind.${item.kind}`)),
        item.n === null || item.n === undefined ? null : h("b", null, t("desk.shot", { n: item.n })),
        item.clause ? h("span", { class: "clause" }, item.clause) : null,
      ),
      h("span", { class: "grow" }, mine(item.why)),
    ),
  );

function shotRow(shot) {
  const tone =
    shot.undecided?.length || shot.undecided === true
      ? "open"
      : shot.legal === false
        ? "foul"
        : shot.legal
          ? "fair"
          : "none";
  return h(
    "li",
    null,
    h(
      "button",
      {
        type: "button",
        class: `shot ${shot.n === view.found?.record?.n ? "current" : ""}`,
        "data-key": `row-${shot.n}`,
        onclick: () => select(shot.n),
      },
      h("span", { class: `dot ${tone}`, role: "img", "aria-label": t(`verdict.${tone === "none" ? "open" : tone}`) }),
      h("b", null, number(shot.n)),
      h("span", { class: "grow" }, mine(shot.text) || t("verdict.nothing_said")),
      shot.corrected ? h("span", { class: "chip" }, t("desk.corrected")) : null,
      h("span", { class: "faint" }, seconds(shot.t0)),
    ),
  );
}

async function open(item) {
  if (item.review && item.review !== view.review?.id) await load(item.review, item.n);
  else if (item.n) await select(item.n);
  if (!item.n && item.t0 !== null && item.t0 !== undefined) stage.seek(item.t0);
}

async function load(id, n = null) {
  if (!id) return;
  await attempt(async () => {
    const same = view.review?.id === id;
    const review = same ? view.review : new Review(id);
    const [state, shots, items] = await Promise.all([review.state(), review.shots(), review.items()]);
    Object.assign(view, { review, state, shots, items });
    if (!view.list.some((each) => each.id === id))
      view.list.push({ id, title: state.title, game: state.game, shots: shots.length });
    if (state.table) drawn.setTable(state.table);
    if (!same) {
      view.found = null;
      stage.open(review, state);
    }
    const first = n ?? items.find((each) => each.n)?.n ?? shots[0]?.n ?? null;
    if (first !== null) await select(first, same ? stage.t : null);
    else await Promise.all([showTimeline(), stage.seek(state.t0)]);
    history.replaceState(null, "", `/review?id=${encodeURIComponent(id)}${first === null ? "" : `&n=${first}`}`);
  });
  page.redraw();
}

async function select(n, time = null) {
  await attempt(async () => {
    view.found = await view.review.shot(n);
    const { record } = view.found;
    page.redraw();
    await Promise.all([showTimeline(), loadTracks(record)]);
    await stage.seek(time ?? proofTime(view.found) ?? record.t0);
  });
  page.redraw();
}

/** The moment that decides: the first contact, else the first event that proves a foul, else the strike. */
function proofTime(found) {
  const proof = found.proof ?? [];
  return (
    (proof.find((each) => each.decides) ?? proof.find((each) => each.what === "first_contact") ?? proof[0])?.t ?? null
  );
}

async function showTimeline() {
  const { state, found, review } = view;
  if (!review || !state) return;
  const whole = !view.zoomed || !found;
  const [t0, t1] = whole
    ? [state.t0, state.t1]
    : [Math.max(state.t0, found.record.t0 - 2), Math.min(state.t1, found.record.t1 + 2)];
  timeline.show(await review.timeline(t0, t1), found?.record?.n);
}

async function loadTracks(record) {
  const { state } = view;
  const t0 = Math.max(state.t0, record.t0 - AROUND_S / 2);
  view.tracks = await view.review.tracks(t0, Math.min(state.t1, record.t1 + 2, t0 + TRAIL_S)).catch(() => null);
}

/** The drawn table as it was at this time, with the ways since the stroke began. */
function atTime(time) {
  if (time !== view.shown) view.measuring.clear();
  view.shown = time;
  timeline.move(time);
  const tracks = view.tracks;
  const record = view.found?.record;
  const times = tracks?.t ?? [];
  const place = times.findLastIndex((each) => each <= time + 0.0005);
  if (place < 0) {
    drawn.setTrails({});
    drawn.setBalls(record?.before ?? {});
    return;
  }
  const balls = {};
  const trails = {};
  const begun = times.findIndex((each) => each >= (record?.t0 ?? 0) - 0.001);
  for (const [name, column] of Object.entries(tracks.balls)) {
    if (column.x[place] !== null)
      balls[name] = {
        x: column.x[place],
        y: column.y[place],
        s: column.state?.[place] === "m" ? "moving" : "rest",
        v: column.visible?.[place] ?? true,
      };
    const path = [];
    for (let i = Math.max(0, begun); i <= place; i += 1) {
      if (column.x[i] === null) continue;
      const last = path.at(-1);
      if (!last || Math.hypot(column.x[i] - last[0], column.y[i] - last[1]) > 8) path.push([column.x[i], column.y[i]]);
    }
    if (path.length > 2) trails[name] = path;
  }
  drawn.show = { ...drawn.show, lines: false };
  drawn.setTrails(trails);
  drawn.setBalls(balls);
}

const page = await begin("review", draw);
page.keys.add("Space", "player.play", () => stage.toggle());
page.keys.add("ArrowLeft", "review.back_one", () => stage.step(-1));
page.keys.add("ArrowRight", "review.on_one", () => stage.step(1));
page.keys.add("k", "review.previous", () => go(-1));
page.keys.add("j", "review.next", () => go(1));
page.keys.add(",", "review.back_ten", () => stage.step(-10));
page.keys.add(".", "review.on_ten", () => stage.step(10));
page.keys.add("c", "desk.correct", () => $("#shot [data-key=correct]")?.click());
page.keys.add("q", "desk.to_question", () => $("#asks button")?.focus());
page.keys.add("z", "review.zoom", () => $("#zoom button")?.click());

function go(way) {
  const at = view.shots.findIndex((each) => each.n === view.found?.record?.n);
  const shot = view.shots[at + way];
  if (shot) select(shot.n);
}

await attempt(async () => {
  const list = await reviews();
  view.list = list.reviews;
  page.redraw();
  const beyond = list.total > view.list.length && asked.get("id") ? { id: asked.get("id") } : null;
  const wanted =
    view.list.find((each) => each.id === asked.get("id")) ??
    beyond ??
    view.list.find((each) => each.id === page.line.match) ??
    null;
  const [first] = wanted ? [] : await allItems();
  await load(
    wanted?.id ?? first?.review ?? view.list[0]?.id,
    Number(asked.get("n")) || (wanted ? null : (first?.n ?? null)),
  );
});
/** The match goes on while it is looked at: the lists follow, the picture stays. */
page.line.addEventListener("state", async () => {
  const { review, state, found } = view;
  if (!state || review.id !== page.line.match) return;
  await attempt(async () => {
    const [now, shots, items] = await Promise.all([review.state(), review.shots(), review.items()]);
    Object.assign(view, { state: now, shots, items });
    stage.extend(now);
    if (found && now.revision !== state.revision) view.found = await review.shot(found.record.n);
  });
  page.redraw();
});
