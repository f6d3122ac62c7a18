// A record put right: in short (what was hit first, what fell, what was seen) or event by event. What it changes is shown
// before it is accepted.

import { ApiError, attempt, get, post, toast } from "./api.js";
import { ballButton, ballPicture, sorted } from "./balls.js";
import { POCKETS } from "./bed.js";
import { button, h, section } from "./dom.js";
import { differenceTable } from "./differences.js";
import { byTime, eventTable } from "./event-table.js";
import { kindWord, oneOfEach } from "./games.js";
import { dialog } from "./keys.js";
import { number, t, word } from "./words.js";

/** How a running match is corrected; a review gives its own. */
const RUNNING = {
  load: async (n) => (await get(`/api/shots/${n}`)).record,
  preview: (n, record) => post("/api/correct", { n, record, preview: true }),
  accept: (n, record, preview) => post("/api/correct", { n, record, after: preview.after }),
};

/** Games in which a safety is declared. */
const SAFETIES = ["8-ball", "14.1"];

export async function editShot(n, page, api = RUNNING) {
  if (!n) return;
  await attempt(async () => show(n, await api.load(n), page, api));
}

function show(n, original, page, api) {
  const state = { record: structuredClone(original), preview: null, busy: false };
  const names = ballNames(original, page?.line?.state);
  const body = h("div", { class: "editor" });
  const foot = h("div", { class: "row grow" });
  const node = dialog(t("editor.title", { n }), body, [foot], { wide: true });
  node.classList.add("wide");
  const change = (record) => {
    state.record = record;
    state.preview = null;
    redraw();
  };
  const look = async () => {
    try {
      const after = page?.line.seq;
      state.preview = { after, ...(await api.preview(n, cleaned(state.record))) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      toast(error.message, true);
    }
    redraw();
  };
  const accept = async () => {
    if (await attempt(() => api.accept(n, cleaned(state.record), state.preview), t("editor.accepted"))) node.close();
  };
  const redraw = () => {
    section(body, [state.record, state.preview], () => [
      quick(state.record, names, change),
      declared(state.record, names, page?.line?.state?.board?.game ?? api.game, change),
      seen(state.record, change),
      eventTable(state.record, names, change),
      state.preview ? differences(state.preview) : null,
    ]);
    section(foot, [state.record, Boolean(state.preview)], () => [
      button(t("editor.reset"), () => change(structuredClone(original)), { key: "reset", kind: "plain" }),
      h("span", { class: "grow" }),
      button(t("editor.preview"), look, { key: "preview", kind: state.preview ? "" : "main" }),
      button(t("editor.accept"), accept, { key: "accept", kind: "main", disabled: !state.preview }),
    ]);
  };
  redraw();
}

const differences = (preview) =>
  h(
    "section",
    { class: "note", role: "status" },
    h("h3", null, t("editor.changes")),
    differenceTable(preview),
  );

/** Every ball that the record or the table knows. */
function ballNames(record, state) {
  const balls = state?.position?.balls ?? [];
  const there = Object.keys(record.before ?? {}).length
    ? Object.keys(record.before)
    : Array.isArray(balls)
      ? balls
      : Object.keys(balls);
  const named = record.events.flatMap((event) => [event.ball, event.over, ...(event.balls ?? [])]).filter(Boolean);
  return sorted(new Set(["cue", ...there, ...named]));
}

const cleaned = (record) => ({ ...record, events: byTime(record.events) });

function firstContact(record) {
  return byTime(record.events).find((event) => event.kind === "contact" && event.balls.includes("cue")) ?? null;
}

/** The same record with another first contact, or (null) without any contact of the cue ball. */
export function withFirst(record, ball) {
  const first = firstContact(record);
  const strike = record.events.find((event) => event.kind === "strike");
  const others = record.events.filter((event) => event !== first);
  if (ball === null)
    return { ...record, events: others.filter((event) => !(event.kind === "contact" && event.balls.includes("cue"))) };
  const at = first?.t ?? (strike?.t ?? record.t0) + 0.05;
  const kept = others.filter(
    (event) =>
      !(event.kind === "contact" && event.t <= at && event.balls.includes("cue") && event.balls.includes(ball)),
  );
  return { ...record, events: byTime([...kept, { t: at, kind: "contact", balls: ["cue", ball] }]) };
}

function quick(record, names, change) {
  const first = firstContact(record)?.balls.find((ball) => ball !== "cue") ?? null;
  const objects = names.filter((name) => name !== "cue");
  const potted = record.events.filter((event) => event.kind === "pocket");
  const add = h(
    "select",
    { "aria-label": t("editor.add_pot") },
    h("option", { value: "" }, t("editor.add_pot")),
    names.map((name) => h("option", { value: name }, word("balls", name))),
  );
  const into = h(
    "select",
    { "aria-label": t("pocket") },
    POCKETS.map((each) => h("option", { value: each }, word("pockets", each))),
  );
  const end = Math.max(
    record.t1 - 0.01,
    ...record.events.filter((event) => event.kind !== "rest").map((event) => event.t),
  );
  return h(
    "section",
    { class: "stack" },
    h(
      "fieldset",
      null,
      h("legend", null, t("hand.first")),
      h(
        "div",
        { class: "balls" },
        oneOfEach(objects, first).map((ball) =>
          ballButton(ball, () => change(withFirst(record, ball)), { pressed: ball === first, text: kindWord(ball) }),
        ),
        button(t("hand.nothing"), () => change(withFirst(record, null)), {
          key: "first-none",
          pressed: first === null,
        }),
      ),
    ),
    h(
      "fieldset",
      null,
      h("legend", null, t("hand.potted")),
      h(
        "div",
        { class: "row" },
        potted.map((event) =>
          h(
            "button",
            {
              type: "button",
              class: "button",
              "aria-label": `${t("editor.remove")}: ${word("balls", event.ball)}`,
              onclick: () => change({ ...record, events: record.events.filter((each) => each !== event), after: null }),
            },
            ballPicture(event.ball),
            word("pockets", event.pocket),
            " ✕",
          ),
        ),
        h(
          "div",
          { class: "row add" },
          add,
          into,
          button(
            "+",
            () =>
              add.value &&
              change({
                ...record,
                events: byTime([...record.events, { t: end, kind: "pocket", ball: add.value, pocket: into.value }]),
                after: null,
              }),
            { label: t("editor.add_pot") },
          ),
        ),
      ),
    ),
  );
}

/** What was declared before the stroke: also what was forgotten to be entered then. */
function declared(record, names, game, change) {
  if (!record.events.some((event) => event.kind === "strike")) return null;
  const said = record.nominated ?? {};
  const declare = (what) => {
    const all = Object.entries({ ...said, ...what }).filter(([, value]) => value);
    change({ ...record, nominated: all.length ? Object.fromEntries(all) : null });
  };
  const choice = (name, label, values, words) =>
    h(
      "label",
      { class: "field" },
      h("span", null, label),
      h(
        "select",
        { "data-key": `declared-${name}`, onchange: (event) => declare({ [name]: event.target.value }) },
        h("option", { value: "" }, t("editor.nothing_declared")),
        values.map((each) => h("option", { value: each, selected: said[name] === each }, words(each))),
      ),
    );
  const balls = names.filter((name) => name !== "cue");
  return h(
    "fieldset",
    null,
    h("legend", null, t("editor.declared")),
    h(
      "div",
      { class: "row" },
      choice("ball", t("desk.ball"), balls, (each) => word("balls", each)),
      game !== "snooker" && game !== "9-ball"
        ? choice("pocket", t("pocket"), POCKETS, (each) => word("pockets", each))
        : null,
      SAFETIES.includes(game)
        ? button(t("desk.safety"), () => declare({ safety: !said.safety }), {
            key: "declared-safety",
            pressed: Boolean(said.safety),
          })
        : null,
      game === "9-ball"
        ? button(t("desk.push_out"), () => declare({ push_out: !said.push_out }), {
            key: "declared-push-out",
            pressed: Boolean(said.push_out),
          })
        : null,
    ),
  );
}

function seen(record, change) {
  if (!record.observed?.length) return null;
  const without = (i) => change({ ...record, observed: record.observed.filter((_, j) => j !== i) });
  return h(
    "fieldset",
    null,
    h("legend", null, t("editor.seen")),
    h(
      "div",
      { class: "row" },
      (record.observed ?? []).map((each, i) =>
        h(
          "button",
          {
            type: "button",
            class: "button",
            "aria-label": `${t("editor.remove")}: ${seenWords(each)}`,
            onclick: () => without(i),
          },
          seenWords(each),
          " ✕",
        ),
      ),
    ),
  );
}

export function seenWords(each) {
  if (each.kind !== "confirm")
    return `${t(`observed.${each.kind}`)}${each.ball ? ` (${word("balls", each.ball)})` : ""}`;
  const value =
    typeof each.value === "boolean"
      ? t(each.value ? "yes" : "no")
      : Array.isArray(each.value)
        ? each.value.map((v) => (typeof v === "number" ? number(v) : word("balls", v))).join(", ")
        : word("balls", each.value);
  return `${word("questions", each.question)}: ${value}`;
}
