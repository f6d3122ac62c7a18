// A stroke noted by hand, with the camera off or blind: what was hit first, what fell where, what left the table.

import { attempt, post } from "./api.js";
import { ballButton, ballPicture } from "./balls.js";
import { button, h, section } from "./dom.js";
import { asksCushion, ballsOf, kindWord, objectBalls, oneOfEach } from "./games.js";
import { AS_DRAWN, shortPocket } from "./desk-nominate.js";
import { lang, t, word } from "./words.js";

const STEP_S = 0.5;
const fresh = () => ({ first: null, potted: [], off: [], cushion: null, cushions: [], holding: null, step: "first" });
let stroke = fresh();
let open = null;

const isOpen = (state) => open ?? !state.match.camera;
const breaking = (state) => asksCushion(state.board.game) && state.position?.[state.board.game]?.stage === "break";

export function drawHand(node, state, page) {
  const opened = isOpen(state);
  section(node, [opened, stroke, state.board, state.position?.balls, lang()], () => [
    h(
      "h2",
      null,
      t("hand.title"),
      button(
        t(opened ? "hand.close" : "hand.open"),
        () => {
          open = !opened;
          page.redraw();
        },
        { key: "hand-open", kind: "plain" },
      ),
    ),
    opened ? form(state, page) : h("p", { class: "faint" }, t("hand.what")),
  ]);
}

function form(state, page) {
  const change = (changes) => () => {
    stroke = { ...stroke, ...changes };
    page.redraw();
  };
  const balls = objectBalls(state);
  const gone = new Set([...stroke.potted.map(([ball]) => ball), ...stroke.off]);
  const left = ballsOf(state)
    .concat("cue")
    .filter((ball, i, all) => all.indexOf(ball) === i && !gone.has(ball));
  const first = h(
    "fieldset",
    null,
    h("legend", null, t("hand.first")),
    h(
      "div",
      { class: "balls" },
      oneOfEach(balls, stroke.first).map((ball) =>
        ballButton(ball, change({ first: stroke.first === ball ? null : ball, step: "potted" }), {
          pressed: stroke.first === ball,
          text: `${t("hand.first")}: ${kindWord(ball)}`,
        }),
      ),
      button(t("hand.nothing"), change({ first: stroke.first === "none" ? null : "none", step: "potted" }), {
        key: "first-none",
        pressed: stroke.first === "none",
      }),
    ),
  );
  const potted = h(
    "fieldset",
    null,
    h(
      "legend",
      null,
      stroke.holding ? t("hand.which_pocket", { ball: word("balls", stroke.holding) }) : t("hand.potted"),
    ),
    stroke.potted.length
      ? h(
          "div",
          { class: "row" },
          stroke.potted.map(([ball, pocket], i) =>
            h(
              "button",
              {
                type: "button",
                class: "button",
                "data-key": `potted-${i}`,
                "aria-label": `${t("desk.take_back")}: ${word("balls", ball)}`,
                onclick: change({ potted: stroke.potted.filter((_, j) => j !== i) }),
              },
              ballPicture(ball),
              word("pockets", pocket),
              " ✕",
            ),
          ),
        )
      : null,
    stroke.holding
      ? h(
          "div",
          { class: "pockets" },
          AS_DRAWN.map((pocket) =>
            button(
              shortPocket(pocket),
              () => {
                putDown(pocket);
                page.redraw();
              },
              { key: `hand-${pocket}`, label: `${t("pocket")}: ${word("pockets", pocket)}` },
            ),
          ),
        )
      : h(
          "div",
          { class: "balls" },
          oneOfEach(left).map((ball) =>
            ballButton(ball, change({ holding: ball }), { text: `${t("hand.potted")}: ${kindWord(ball)}` }),
          ),
        ),
  );
  return [
    first,
    potted,
    asksCushion(state.board.game) ? (breaking(state) ? cushions(balls, change) : afterContact(change)) : null,
    h(
      "details",
      null,
      h("summary", { "data-key": "hand-off" }, t("hand.off"), stroke.off.length ? ` (${stroke.off.length})` : ""),
      h(
        "div",
        { class: "balls" },
        oneOfEach([...left, ...stroke.off]).map((ball) =>
          ballButton(
            ball,
            change({
              off: stroke.off.includes(ball) ? stroke.off.filter((each) => each !== ball) : [...stroke.off, ball],
            }),
            { pressed: stroke.off.includes(ball), text: `${t("hand.off")}: ${kindWord(ball)}` },
          ),
        ),
      ),
    ),
    h(
      "div",
      { class: "actions" },
      button(t("hand.end"), () => finish(state, page), {
        key: "hand-end",
        kind: "main",
        disabled: stroke.first === null,
      }),
      button(t("hand.clear"), change(fresh()), { key: "hand-clear", kind: "plain" }),
    ),
  ];
}

const cushions = (balls, change) =>
  h(
    "fieldset",
    null,
    h("legend", null, t("hand.cushions")),
    h(
      "div",
      { class: "balls" },
      balls.map((ball) =>
        ballButton(
          ball,
          change({
            cushions: stroke.cushions.includes(ball)
              ? stroke.cushions.filter((each) => each !== ball)
              : [...stroke.cushions, ball],
          }),
          { pressed: stroke.cushions.includes(ball), text: `${t("hand.cushions")}: ${word("balls", ball)}` },
        ),
      ),
    ),
  );

const afterContact = (change) =>
  h(
    "fieldset",
    null,
    h("legend", null, t("hand.cushion_after")),
    h(
      "div",
      { class: "seg" },
      [true, false].map((value) =>
        button(t(value ? "yes" : "no"), change({ cushion: stroke.cushion === value ? null : value }), {
          key: `cushion-${value}`,
          pressed: stroke.cushion === value,
        }),
      ),
    ),
  );

function putDown(pocket) {
  stroke = { ...stroke, potted: [...stroke.potted, [stroke.holding, pocket]], holding: null };
}

/** A touch on the drawn table; returns whether it was for the stroke by hand. */
export function takeHand(what, name, page) {
  const state = page.line.state;
  if (!state?.match || !isOpen(state)) return false;
  if (what === "pocket") {
    if (!stroke.holding) return false;
    putDown(name);
    return true;
  }
  if (stroke.step === "first" && stroke.first === null) {
    if (name === "cue") return false;
    stroke = { ...stroke, first: name, step: "potted" };
  } else {
    stroke = { ...stroke, holding: name };
  }
  return true;
}

/** The shot record of what was touched; only the order of its events is known, not their times. */
function record(state) {
  const events = [{ kind: "strike", ball: "cue" }];
  if (stroke.first !== "none") events.push({ kind: "contact", balls: ["cue", stroke.first] });
  for (const ball of stroke.cushions) events.push({ kind: "cushion", ball, cushion: "top" });
  for (const [ball, pocket] of stroke.potted) events.push({ kind: "pocket", ball, pocket });
  for (const ball of stroke.off) events.push({ kind: "off_table", ball });
  events.push({ kind: "rest" });
  const known = asksCushion(state.board.game) && !breaking(state) && stroke.cushion !== null && stroke.first !== "none";
  const observed = known ? [{ kind: "confirm", question: "cushion_after_contact", value: stroke.cushion }] : [];
  return { type: "shot", events: events.map((event, i) => ({ t: i * STEP_S, ...event })), observed };
}

async function finish(state, page) {
  if (await attempt(() => post("/api/shot", { record: record(state) }), t("hand.noted"))) stroke = fresh();
  page.redraw();
}
