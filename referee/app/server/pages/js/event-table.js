// The events of a record as a table in which each can be changed, taken out, or another put in.

import { POCKETS } from "./bed.js";
import { button, h } from "./dom.js";
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

/** In order of time. */
export const byTime = (events) => [...events].sort((a, b) => a.t - b.t);

export function eventTable(record, names, change) {
  const replace = (event, changes) =>
    change({ ...record, events: record.events.map((each) => (each === event ? { ...each, ...changes } : each)) });
  const rows = byTime(record.events).map((event) =>
    h(
      "tr",
      null,
      h(
        "td",
        null,
        h("input", {
          type: "number",
          step: 0.001,
          value: event.t,
          "aria-label": t("editor.time"),
          class: "short",
          onchange: (change_) => replace(event, { t: Number(change_.target.value) }),
        }),
      ),
      h(
        "td",
        null,
        choice(
          Object.keys(FIELDS),
          event.kind,
          (kind) =>
            change({
              ...record,
              events: record.events.map((each) => (each === event ? blank(kind, event, names) : each)),
            }),
          "events",
          t("editor.event"),
        ),
      ),
      h(
        "td",
        null,
        h(
          "div",
          { class: "row tight" },
          FIELDS[event.kind]?.flatMap((field) => input(event, field, names, replace)),
        ),
      ),
      h("td", { class: "faint num" }, event.confidence === undefined ? "" : `${number(event.confidence * 100)} %`),
      h(
        "td",
        null,
        button("✕", () => change({ ...record, events: record.events.filter((each) => each !== event) }), {
          label: `${t("editor.remove")}: ${t(`events.${event.kind}`)}`,
          kind: "plain",
        }),
      ),
    ),
  );
  return h(
    "details",
    null,
    h("summary", { "data-key": "events" }, t("editor.events")),
    h(
      "div",
      { class: "scroll" },
      h(
        "table",
        { class: "plain" },
        h(
          "tr",
          null,
          h("th", { scope: "col" }, t("editor.time")),
          h("th", { scope: "col" }, t("editor.event")),
          h("th", { scope: "col" }, t("editor.what")),
          h("th", { scope: "col" }, t("editor.certainty")),
          h("th", null),
        ),
        rows,
      ),
    ),
    button(
      t("editor.add_event"),
      () =>
        change({
          ...record,
          events: byTime([
            ...record.events,
            { t: record.t1 - 0.01, kind: "contact", balls: ["cue", names.find((name) => name !== "cue") ?? "cue"] },
          ]),
        }),
      { key: "add-event" },
    ),
  );
}

/** An event of another kind at the same time, with what can be kept. */
function blank(kind, event, names) {
  const ball = event.ball ?? event.balls?.[0] ?? "cue";
  const start = {
    balls: [ball, event.balls?.[1] ?? names.find((name) => name !== ball)],
    ball,
    cushion: "top",
    pocket: "top-left",
    line: "centre_line",
    over: names.find((name) => name !== ball),
    touched: false,
    still_s: 5,
    cause: "itself",
    via: "cushion",
  };
  return { t: event.t, kind, ...Object.fromEntries(FIELDS[kind].map((field) => [field, start[field]])) };
}

function input(event, field, names, replace) {
  if (field === "balls")
    return [0, 1].map((i) =>
      choice(
        names,
        event.balls[i],
        (ball) => replace(event, { balls: event.balls.map((each, j) => (j === i ? ball : each)) }),
        "balls",
        t("desk.ball"),
      ),
    );
  if (field === "ball" || field === "over")
    return [choice(names, event[field], (ball) => replace(event, { [field]: ball }), "balls", t("desk.ball"))];
  if (field === "touched")
    return [
      choice(
        ["true", "false"],
        String(event.touched),
        (value) => replace(event, { touched: value === "true" }),
        "booleans",
        t("editor.touched"),
      ),
    ];
  if (field === "still_s")
    return [
      h("input", {
        type: "number",
        min: 0,
        step: 0.1,
        value: event.still_s,
        class: "short",
        "aria-label": t("editor.still"),
        onchange: (change) => replace(event, { still_s: Number(change.target.value) }),
      }),
    ];
  const lists = {
    cushion: [CUSHIONS, "cushions"],
    pocket: [POCKETS, "pockets"],
    line: [LINES, "lines"],
    cause: [CAUSES, "causes"],
    via: [["cushion", "rail", "pocket"], "vias"],
  };
  const [values, kind] = lists[field];
  return [choice(values, event[field], (value) => replace(event, { [field]: value }), kind, t(`editor.${field}`))];
}

const choice = (values, now, done, kind, label) =>
  h(
    "select",
    { "aria-label": label, onchange: (event) => done(event.target.value) },
    (values.includes(now) ? values : [now, ...values]).map((each) =>
      h("option", { value: each, selected: each === now }, word(kind, each)),
    ),
  );
