// A record put right: in short (what was hit first, what fell, what was seen) or event by event. What it changes is shown
// before it is accepted.

import { ApiError, attempt, get, post, toast } from "./api.js";
import { ballButton, ballPicture, sorted } from "./balls.js";
import { POCKETS } from "./bed.js";
import { button, h, section } from "./dom.js";
import { differenceTable } from "./differences.js";
import { dialog } from "./keys.js";
import { number, t, word } from "./words.js";

const CUSHIONS = ["bottom", "top", "left", "right"];
const LINES = ["head_string", "house_line", "centre_line", "long_string", "baulk_line"];
const CAUSES = ["itself", "player", "outside"];
/** kind → the fields of its events. */
const FIELDS = {
  strike: ["ball"],
  contact: ["balls"],
  cushion: ["ball", "cushion"],
  pocket: ["ball", "pocket"],
  off_table: ["ball"],
  crossed: ["ball", "line"],
  jump: ["ball", "over", "touched"],
  fell: ["ball", "pocket", "still_s"],
  moved: ["ball", "cause"],
  returned: ["ball", "via"],
  rest: [],
};

/** How a running match is corrected; a review gives its own. */
const RUNNING = {
  load: async (n) => (await get(`/api/shots/${n}`)).record,
  preview: (n, record) => post("/api/correct", { n, record, preview: true }),
  accept: (n, record) => post("/api/correct", { n, record }),
};

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
      state.preview = await api.preview(n, cleaned(state.record));
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
    section(body, [state.record, state.preview], () => [quick(state.record, names, change), seen(state.record, change), events(state.record, names, change), state.preview ? differences(state.preview) : null]);
    section(foot, [state.record, Boolean(state.preview)], () => [
      button(t("editor.reset"), () => change(structuredClone(original)), { key: "reset", kind: "plain" }),
      h("span", { class: "grow" }),
      button(t("editor.preview"), look, { key: "preview", kind: state.preview ? "" : "main" }),
      button(t("editor.accept"), accept, { key: "accept", kind: "main", disabled: !state.preview }),
    ]);
  };
  redraw();
}

const differences = (preview) => h("section", { class: "note", role: "status" }, h("h3", null, t("editor.changes")), differenceTable(preview.differences ?? []));

/** Every ball that the record or the table knows. */
function ballNames(record, state) {
  const balls = state?.position?.balls ?? [];
  const there = Object.keys(record.before ?? {}).length ? Object.keys(record.before) : Array.isArray(balls) ? balls : Object.keys(balls);
  const named = record.events.flatMap((event) => [event.ball, event.over, ...(event.balls ?? [])]).filter(Boolean);
  return sorted(new Set(["cue", ...there, ...named]));
}

const byTime = (events) => [...events].sort((a, b) => a.t - b.t);
const cleaned = (record) => ({ ...record, events: byTime(record.events) });

function firstContact(record) {
  return byTime(record.events).find((event) => event.kind === "contact" && event.balls.includes("cue")) ?? null;
}

/** The same record with another first contact, or (null) without any contact of the cue ball. */
export function withFirst(record, ball) {
  const first = firstContact(record);
  const strike = record.events.find((event) => event.kind === "strike");
  const others = record.events.filter((event) => event !== first);
  if (ball === null) return { ...record, events: others.filter((event) => !(event.kind === "contact" && event.balls.includes("cue"))) };
  const at = first?.t ?? (strike?.t ?? record.t0) + 0.05;
  const kept = others.filter((event) => !(event.kind === "contact" && event.t <= at && event.balls.includes("cue") && event.balls.includes(ball)));
  return { ...record, events: byTime([...kept, { t: at, kind: "contact", balls: ["cue", ball] }]) };
}

function quick(record, names, change) {
  const first = firstContact(record)?.balls.find((ball) => ball !== "cue") ?? null;
  const objects = names.filter((name) => name !== "cue");
  const potted = record.events.filter((event) => event.kind === "pocket");
  const add = h("select", { "aria-label": t("editor.add_pot") }, h("option", { value: "" }, t("editor.add_pot")), names.map((name) => h("option", { value: name }, word("balls", name))));
  const into = h("select", { "aria-label": t("pocket") }, POCKETS.map((each) => h("option", { value: each }, word("pockets", each))));
  const end = Math.max(record.t1 - 0.01, ...record.events.filter((event) => event.kind !== "rest").map((event) => event.t));
  return h("section", { class: "stack" },
    h("fieldset", null, h("legend", null, t("hand.first")), h("div", { class: "balls" }, objects.map((ball) => ballButton(ball, () => change(withFirst(record, ball)), { pressed: ball === first })), button(t("hand.nothing"), () => change(withFirst(record, null)), { key: "first-none", pressed: first === null }))),
    h("fieldset", null, h("legend", null, t("hand.potted")), h("div", { class: "row" },
      potted.map((event) => h("button", { type: "button", class: "button", "aria-label": `${t("editor.remove")}: ${word("balls", event.ball)}`, onclick: () => change({ ...record, events: record.events.filter((each) => each !== event), after: null }) }, ballPicture(event.ball), word("pockets", event.pocket), " ✕")),
      h("div", { class: "row add" }, add, into, button("+", () => add.value && change({ ...record, events: byTime([...record.events, { t: end, kind: "pocket", ball: add.value, pocket: into.value }]), after: null }), { label: t("editor.add_pot") })))));
}

function seen(record, change) {
  if (!record.observed?.length && !record.nominated) return null;
  const without = (i) => change({ ...record, observed: record.observed.filter((_, j) => j !== i) });
  const nominated = record.nominated ?? {};
  return h("fieldset", null, h("legend", null, t("editor.seen")), h("div", { class: "row" },
    Object.keys(nominated).length ? h("button", { type: "button", class: "button", "aria-label": `${t("editor.remove")}: ${t("editor.nominated")}`, onclick: () => change({ ...record, nominated: null }) }, t("editor.nominated"), nominated.ball ? ballPicture(nominated.ball, { label: word("balls", nominated.ball) }) : null, nominated.pocket ? word("pockets", nominated.pocket) : null, nominated.safety ? t("desk.safety") : null, nominated.push_out ? t("desk.push_out") : null, " ✕") : null,
    (record.observed ?? []).map((each, i) => h("button", { type: "button", class: "button", "aria-label": `${t("editor.remove")}: ${seenWords(each)}`, onclick: () => without(i) }, seenWords(each), " ✕"))));
}

export function seenWords(each) {
  if (each.kind !== "confirm") return `${t(`observed.${each.kind}`)}${each.ball ? ` (${word("balls", each.ball)})` : ""}`;
  const value = typeof each.value === "boolean" ? t(each.value ? "yes" : "no") : Array.isArray(each.value) ? each.value.map((v) => (typeof v === "number" ? number(v) : word("balls", v))).join(", ") : word("balls", each.value);
  return `${word("questions", each.question)}: ${value}`;
}

function events(record, names, change) {
  const replace = (event, changes) => change({ ...record, events: record.events.map((each) => (each === event ? { ...each, ...changes } : each)) });
  const rows = byTime(record.events).map((event) => h("tr", null,
    h("td", null, h("input", { type: "number", step: 0.001, value: event.t, "aria-label": t("editor.time"), class: "short", onchange: (change_) => replace(event, { t: Number(change_.target.value) }) })),
    h("td", null, choice(Object.keys(FIELDS), event.kind, (kind) => change({ ...record, events: record.events.map((each) => (each === event ? blank(kind, event, names) : each)) }), "events", t("editor.event"))),
    h("td", null, h("div", { class: "row tight" }, FIELDS[event.kind]?.flatMap((field) => input(event, field, names, replace)))),
    h("td", { class: "faint num" }, event.confidence === undefined ? "" : `${number(event.confidence * 100)} %`),
    h("td", null, button("✕", () => change({ ...record, events: record.events.filter((each) => each !== event) }), { label: `${t("editor.remove")}: ${t(`events.${event.kind}`)}`, kind: "plain" }))));
  return h("details", null, h("summary", { "data-key": "events" }, t("editor.events")), h("div", { class: "scroll" }, h("table", { class: "plain" }, h("tr", null, h("th", { scope: "col" }, t("editor.time")), h("th", { scope: "col" }, t("editor.event")), h("th", { scope: "col" }, t("editor.what")), h("th", { scope: "col" }, t("editor.certainty")), h("th", null)), rows)), button(t("editor.add_event"), () => change({ ...record, events: byTime([...record.events, { t: record.t1 - 0.01, kind: "contact", balls: ["cue", names.find((name) => name !== "cue") ?? "cue"] }]) }), { key: "add-event" }));
}

/** An event of another kind at the same time, with what can be kept. */
function blank(kind, event, names) {
  const ball = event.ball ?? event.balls?.[0] ?? "cue";
  const start = { balls: [ball, event.balls?.[1] ?? names.find((name) => name !== ball)], ball, cushion: "top", pocket: "top-left", line: "centre_line", over: names.find((name) => name !== ball), touched: false, still_s: 5, cause: "itself", via: "cushion" };
  return { t: event.t, kind, ...Object.fromEntries(FIELDS[kind].map((field) => [field, start[field]])) };
}

function input(event, field, names, replace) {
  if (field === "balls") return [0, 1].map((i) => choice(names, event.balls[i], (ball) => replace(event, { balls: event.balls.map((each, j) => (j === i ? ball : each)) }), "balls", t("desk.ball")));
  if (field === "ball" || field === "over") return [choice(names, event[field], (ball) => replace(event, { [field]: ball }), "balls", t("desk.ball"))];
  if (field === "touched") return [choice(["true", "false"], String(event.touched), (value) => replace(event, { touched: value === "true" }), "booleans", t("editor.touched"))];
  if (field === "still_s") return [h("input", { type: "number", min: 0, step: 0.1, value: event.still_s, class: "short", "aria-label": t("editor.still"), onchange: (change) => replace(event, { still_s: Number(change.target.value) }) })];
  const lists = { cushion: [CUSHIONS, "cushions"], pocket: [POCKETS, "pockets"], line: [LINES, "lines"], cause: [CAUSES, "causes"], via: [["cushion", "rail", "pocket"], "vias"] };
  const [values, kind] = lists[field];
  return [choice(values, event[field], (value) => replace(event, { [field]: value }), kind, t(`editor.${field}`))];
}

const choice = (values, now, done, kind, label) =>
  h("select", { "aria-label": label, onchange: (event) => done(event.target.value) }, (values.includes(now) ? values : [now, ...values]).map((each) => h("option", { value: each, selected: each === now }, word(kind, each))));
