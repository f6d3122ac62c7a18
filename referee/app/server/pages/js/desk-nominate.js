// What is declared for the next stroke: a ball, its pocket, a safety, a push-out; only what the game and state allow.

import { attempt, post } from "./api.js";
import { ballButton, ballPicture } from "./balls.js";
import { $, button, h, section } from "./dom.js";
import { declarable } from "./games.js";
import { lang, t, word } from "./words.js";

export function drawNominate(node, state, page) {
  const may = declarable(state);
  const said = state.nominated ?? {};
  node.hidden = false;
  section(node, [may, said, state.board.player, state.settings?.nominations, lang()], () => [
    h(
      "h2",
      null,
      h("span", null, t("desk.nominate", { player: state.board.player ?? "" })),
      said && Object.keys(said).length
        ? button(t("desk.take_back"), () => send(null), { key: "take-back", kind: "plain" })
        : null,
    ),
    ...content(may, said, state, page),
  ]);
}

function content(may, said, state, page) {
  if (!may.balls.length && !may.safety && !may.pushOut)
    return [h("p", { class: "empty" }, t("desk.nothing_to_nominate"))];
  return [
    Object.keys(said).length
      ? h("p", { class: "declared", role: "status" }, declared(said))
      : !may.balls.length
        ? null
        : h(
            "p",
            { class: "faint" },
            t(state.settings?.nominations === "required" ? "desk.must_nominate" : "desk.may_nominate"),
          ),
    may.balls.length
      ? h(
          "div",
          { class: "balls", role: "group", "aria-label": t("desk.ball") },
          may.balls.map((ball) => ballButton(ball, () => pickBall(ball, page), { pressed: said.ball === ball })),
        )
      : null,
    may.pockets
      ? h(
          "div",
          { class: "pockets", role: "group", "aria-label": t("pocket") },
          AS_DRAWN.map((pocket) =>
            button(shortPocket(pocket), () => pickPocket(pocket, page), {
              key: `pocket-${pocket}`,
              pressed: said.pocket === pocket,
              label: `${t("pocket")}: ${word("pockets", pocket)}`,
            }),
          ),
        )
      : null,
    may.safety || may.pushOut
      ? h(
          "div",
          { class: "row" },
          may.safety
            ? button(t("desk.safety"), () => declare(page, { safety: true }), {
                key: "safety",
                pressed: Boolean(said.safety),
              })
            : null,
          may.pushOut
            ? button(t("desk.push_out"), () => declare(page, { push_out: true }), {
                key: "push-out",
                pressed: Boolean(said.push_out),
              })
            : null,
        )
      : null,
  ];
}

/** As the table is drawn: the baulk end at the left, the players' left above. */
export const AS_DRAWN = ["bottom-left", "middle-left", "top-left", "bottom-right", "middle-right", "top-right"];
const ARROWS = {
  "bottom-left": "↖",
  "middle-left": "↑",
  "top-left": "↗",
  "bottom-right": "↙",
  "middle-right": "↓",
  "top-right": "↘",
};
export const shortPocket = (pocket) => [
  h("span", { "aria-hidden": "true" }, ARROWS[pocket]),
  h("small", null, word("pockets", pocket)),
];

function declared(said) {
  return [
    said.ball ? ballPicture(said.ball, { label: word("balls", said.ball) }) : null,
    [
      said.ball && word("balls", said.ball),
      said.pocket && `${t("pocket")}: ${word("pockets", said.pocket)}`,
      said.safety && t("desk.safety"),
      said.push_out && t("desk.push_out"),
    ]
      .filter(Boolean)
      .join(", "),
  ];
}

const send = (nominated) => attempt(() => post("/api/nomination", { nominated }));

/** A ball touched: nominated; touched again: taken back. */
export function pickBall(ball, page) {
  const may = declarable(page.line.state);
  const name = may.balls.includes(ball) ? ball : may.balls.find((each) => /^red-/.test(each) && /^red-/.test(ball));
  if (!name) return;
  const said = page.line.state.nominated ?? {};
  const { safety, push_out: _, ...rest } = said;
  send(said.ball === name ? null : { ...rest, ball: name });
}

export function pickPocket(pocket, page) {
  if (!declarable(page.line.state).pockets) return;
  const { safety, push_out: _, ...rest } = page.line.state.nominated ?? {};
  send({ ...rest, pocket: rest.pocket === pocket ? undefined : pocket });
}

/** Safety or push-out, where the state allows it. */
export function declare(page, what) {
  const may = page.line.state?.board ? declarable(page.line.state) : {};
  if ((what.safety && !may.safety) || (what.push_out && !may.pushOut)) return;
  const said = page.line.state.nominated ?? {};
  const [name] = Object.keys(what);
  send(said[name] ? null : what);
  $(`[data-key=${name.replace("_", "-")}]`)?.focus();
}
