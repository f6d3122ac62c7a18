// What was said or played after a shot and was forgotten then: put in there, or taken back. What it changes is shown first.

import { post } from "./api.js";
import { button, h } from "./dom.js";
import { warnings } from "./games.js";
import { dialog } from "./keys.js";
import { people } from "./picking.js";
import { propose, running } from "./proposing.js";
import { editShot } from "./record-editor.js";
import { t } from "./words.js";

const LASTING_S = 0.02;

/** The lines that belong to a shot, each with a way to take it back, and a way to put another one in after it. */
export function drawLines(shot, page, close) {
  const back = (line, title) => propose(running(page), "undo", { line: line.line }, title, close);
  return h(
    "section",
    { class: "stack" },
    h("h3", null, t("later.title")),
    h(
      "ul",
      { class: "matches" },
      (shot.lines ?? []).map((line) =>
        h(
          "li",
          { class: "row" },
          h("span", { class: "grow" }, lineWords(line)),
          button(t("desk.take_back"), () => back(line, `${t("desk.take_back")}: ${lineWords(line)}`), {
            key: `take-back-${line.line}`,
          }),
        ),
      ),
    ),
    h(
      "div",
      { class: "actions" },
      button(t("later.say"), () => say(shot, page, close), { key: "say-later" }),
      button(t("later.shot"), () => insert(shot, page, close), { key: "insert-later" }),
    ),
  );
}

function lineWords(line) {
  if (line.kind === "shot" || line.kind === "insert") return t("desk.shot", { n: line.n });
  const option = line.option ? t(`options.${line.option}`) : null;
  return [line.player, t(`lines_kind.${line.kind}`), option].filter(Boolean).join(": ");
}

/** What may have been said after a shot: what its verdict let be chosen, warnings, a concession. */
function say(shot, page, close) {
  const state = page.line.state;
  const follows = shot.n;
  const put = (line, words) => {
    node.close();
    return propose(running(page), "official", { type: "official", ...line, follows }, words, close);
  };
  const options = shot.verdict?.next?.options ?? [];
  const node = dialog(t("later.after", { n: shot.n }), [
    options.length
      ? h(
          "div",
          { class: "choices" },
          options.map((each) => {
            const words = `${each.player}: ${t(`options.${each.id}`)}`;
            const line = { kind: "choose", player: each.player, option: each.id };
            return button([h("span", null, words), h("span", { class: "clause" }, each.clause)], () => put(line, words), {
              key: `later-${each.id}-${each.player}`,
              kind: "choice",
            });
          }),
        )
      : null,
    people(state).map((player) =>
      h(
        "fieldset",
        null,
        h("legend", null, player),
        h(
          "div",
          { class: "row" },
          button(t("desk.concede"), () => put({ kind: "concede", player }, `${player}: ${t("lines_kind.concede")}`), {
            key: `later-concede-${player}`,
          }),
          warnings(state.board.game).map((about) =>
            button(
              `${t("desk.warn")}: ${t(`warn.${about}`)}`,
              () => put({ kind: "warn", player, about }, `${player}: ${t("lines_kind.warn")}`),
              { key: `later-warn-${about}-${player}` },
            ),
          ),
        ),
      ),
    ),
    h(
      "div",
      { class: "row" },
      button(t("desk.not_called"), () => put({ kind: "not_called" }, t("lines_kind.not_called")), {
        key: "later-not-called",
      }),
    ),
  ]);
}

/** The record editor for a shot that was played after this one; the balls lie as they lay then. */
function insert(shot, page, close) {
  const t0 = shot.record.t1 + LASTING_S;
  const events = [
    { t: t0, kind: "strike", ball: "cue" },
    { t: t0 + LASTING_S, kind: "rest" },
  ];
  const before = shot.record.after ?? null;
  const record = { type: "shot", t0, t1: t0 + LASTING_S, before, after: null, events, observed: [] };
  const body = (edited) => ({
    follows: shot.n,
    record: { ...edited, t1: Math.max(edited.t1, ...edited.events.map((each) => each.t)) },
  });
  close();
  return editShot(t("review.insert_new"), page, {
    load: async () => record,
    preview: (_, edited) => post("/api/insert", { ...body(edited), preview: true }),
    accept: (_, edited, preview) => post("/api/insert", { ...body(edited), after: preview.after }),
  });
}
