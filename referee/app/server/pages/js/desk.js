// The referee's tablet: what the camera can't see is one touch away, and what it decided can be put right.

import { onPictures, onWords } from "./balls.js";
import { $, h, section } from "./dom.js";
import { DrawnTable } from "./drawn-table.js";
import { mainScore } from "./scores.js";
import { drawFouls, miss } from "./desk-fouls.js";
import { drawHand, takeHand } from "./desk-hand.js";
import { drawNominate, declare, pickPocket, pickBall } from "./desk-nominate.js";
import { drawOfficials } from "./desk-officials.js";
import { drawChoices, drawQuestions, drawQuick, drawShots, drawVerdict, replay, undo } from "./desk-now.js";
import { drawPutBack } from "./desk-putback.js";
import { editShot } from "./record-editor.js";
import { begin, lastCall } from "./frame.js";
import { Sighting } from "./sighting.js";
import { number, lang, t } from "./words.js";

const drawn = new DrawnTable($("#drawn"), { upright: false, onball: touchBall, onpocket: touchPocket });
const live = { balls: () => (sighting?.fresh ? sighting.balls : {}), running: false, putback: {} };
let sizes = "";
let page = null;
let sighting = null;

function touchBall(name) {
  if (!takeHand("ball", name, page)) pickBall(name, page);
  page.redraw();
}

function touchPocket(name) {
  if (!takeHand("pocket", name, page)) pickPocket(name, page);
  page.redraw();
}

function draw(state, current) {
  page = current;
  document.body.classList.toggle("looking-on", page.line.role !== "referee");
  section($("#notices"), [notices(state).map((each) => each.key), page.line.role, lang()], () =>
    notices(state).map((each) => each.node),
  );
  const empty = !state?.match;
  document.body.classList.toggle("empty", empty);
  document.body.classList.toggle("over", state?.match?.phase === "over");
  if (empty) {
    section($("#score"), ["none", lang(), page.line.status], () =>
      h(
        "div",
        { class: "card nothing" },
        h("p", null, t(page.line.status === "connecting" ? "line.connecting" : "board.no_match")),
        h("a", { class: "button main", href: "/setup" }, t("menu.new")),
      ),
    );
    return;
  }
  section($("#score"), [state.board, state.next, lastCall(page)?.id, lang()], () => strip(state));
  drawQuestions($("#questions"), state, page);
  drawChoices($("#choices"), state, page);
  drawVerdict($("#verdict"), state);
  drawQuick($("#quick"), state, page);
  drawShots($("#shots"), state, page);
  drawPutBack($("#putback"), state, live, page);
  drawNominate($("#nominate"), state, page);
  drawHand($("#hand"), state, page);
  drawFouls($("#fouls"), state, live, page);
  drawOfficials($("#officials"), state, page);
  drawTable(state);
}

function drawTable(state) {
  if (JSON.stringify(state.table) !== sizes) {
    sizes = JSON.stringify(state.table);
    drawn.setTable(state.table);
  }
  drawn.on = state.next?.on ?? state.board.on ?? [];
  drawn.freeBall = Boolean(state.next?.free_ball);
  drawn.wanted = state.putback?.wanted ?? null;
  drawn.off = live.putback;
  const byLog = state.position?.balls ?? {};
  if (!sighting?.balls) drawn.setBalls(Array.isArray(byLog) ? {} : byLog);
  else if (!sighting.fresh) drawn.fade();
  else drawn.draw();
  const picked = state.nominated?.pocket;
  for (const node of drawn.holder.querySelectorAll("[data-pocket]"))
    node.classList.toggle("picked", node.dataset.pocket === picked);
}

function notices(state) {
  const out = [];
  const note = (key, kind, ...content) => out.push({ key, node: h("p", { class: `note ${kind}` }, ...content) });
  if (page?.line.status === "live" && page.line.role !== "referee")
    note("role", "", t("desk.looking_on"), " ", h("a", { href: "/" }, t("menu.code")));
  if (state?.match?.phase === "calibrating")
    note("calibrating", "", t("desk.calibrating"), " ", h("a", { href: "/setup" }, t("setup.calibration")));
  const source = state?.source;
  if (state?.match?.camera && source && source.status !== "live")
    note(
      `source-${source.status}`,
      ["opening", "waiting", "ended"].includes(source.status) ? "" : "bad",
      `${t("desk.camera")}: ${t(`source.${source.status}`)}. ${source.said_text?.[lang()] ?? ""}`,
    );
  if (source?.moved)
    note("moved", "bad", t("desk.moved"), " ", h("a", { href: "/setup?step=calibration" }, t("setup.calibration")));
  if (source?.disk) note(`disk-${source.disk}`, "bad", source.disk_text?.[lang()] ?? source.disk);
  if (state?.slow_play) note("slow", "", t("desk.slow_play", { player: state.board.player ?? "" }));
  const gap = state?.gaps?.at(-1);
  if (gap && gap.t1 > (state.shots?.at(-1)?.t1 ?? 0))
    note(`gap-${gap.t0}`, "bad", t("desk.gap", { s: number(gap.t1 - gap.t0, 1), reason: t(`unseen.${gap.reason}`) }));
  if (state?.orphan) note("orphan", "bad", t("desk.orphan"));
  const unjudged = state?.unjudged?.at(-1);
  if (unjudged) note(`unjudged-${unjudged.reason}`, "bad", t("desk.unjudged", { reason: unjudged.text?.[lang()] ?? unjudged.reason }));
  return out;
}

function strip(state) {
  const { board, next } = state;
  const call = lastCall(page);
  return [
    h(
      "div",
      { class: "score-sides" },
      Object.keys(board.score).map((side) => {
        const active = board.player === side || state.match.teams?.[side]?.includes(board.player);
        return h(
          "div",
          { class: active ? "score-side active" : "score-side" },
          h(
            "span",
            { class: "name" },
            side,
            state.match.teams?.[side] && active ? h("small", null, ` ${board.player}`) : null,
          ),
          h("b", null, number(mainScore(board, side))),
          h(
            "span",
            { class: "faint" },
            t(board.game === "snooker" ? "desk.frames_short" : "desk.games_short", { count: board.frames[side] }),
          ),
        );
      }),
    ),
    h(
      "div",
      { class: "score-facts" },
      h(
        "div",
        null,
        h("span", { class: "faint" }, t("board.on")),
        h("b", { role: "img", "aria-label": onWords(board.on) }, onPictures(board.on, next?.free_ball)),
      ),
      board.game === "9-ball" || board.game === "8-ball"
        ? null
        : h("div", null, h("span", { class: "faint" }, t("board.break")), h("b", null, number(board.break))),
      board.points_left === undefined
        ? null
        : h(
            "div",
            null,
            h("span", { class: "faint" }, t("board.points_left")),
            h("b", null, number(board.points_left)),
          ),
      next?.cue_ball && next.cue_ball !== "as_it_lies"
        ? h(
            "div",
            null,
            h("span", { class: "faint" }, t("board.cue_ball")),
            h(
              "b",
              { class: "small" },
              Array.isArray(next.cue_ball) ? t("cue_ball.placed") : t(`cue_ball.${next.cue_ball}`),
            ),
          )
        : null,
      state.match.order?.length > 2
        ? h(
            "div",
            null,
            h("span", { class: "faint" }, t("desk.order")),
            h("b", { class: "small" }, state.match.order.join(" → ")),
          )
        : null,
    ),
    h("p", { class: "said" }, call ? call.announce[lang()].join(" · ") : t("desk.no_call")),
  ];
}

page = await begin("desk", draw);
sighting = new Sighting(
  page.line,
  (balls) => drawn.live(balls),
  () => {
    live.running = sighting.running;
    if (!sighting.fresh) live.putback = {};
    page.redraw();
  },
);
page.line.addEventListener("putback", ({ detail }) => {
  live.putback = detail.balls ?? {};
  live.others = detail.others ?? [];
  live.good = Boolean(detail.good);
  page.redraw();
});
const lastShot = () => page.line.state?.shots?.at(-1);
page.keys.add("u", "desk.undo", () => undo(page));
page.keys.add("p", "desk.replay", () => replay(null));
page.keys.add("c", "desk.correct", () => lastShot() && editShot(lastShot().n, page));
page.keys.add("m", "desk.miss", () => miss(page));
page.keys.add("s", "desk.safety", () => declare(page, { safety: true }));
page.keys.add("o", "desk.push_out", () => declare(page, { push_out: true }));
page.keys.add("q", "desk.to_question", () => $("#questions button")?.focus());
page.keys.add("n", "desk.to_nominate", () => $("#nominate button")?.focus());
page.keys.add("f", "desk.to_fouls", () => $("#fouls button")?.focus());
page.keys.add("h", "desk.to_hand", () => $("#hand button, #hand summary")?.focus());
