// What people saw: a button for each foul that no camera above the table can see, with its clause.

import { attempt, post } from "./api.js";
import { button, h, section } from "./dom.js";
import { dialog } from "./keys.js";
import { ballsOf, FOULS, hasMiss, NEEDS_BALL, NEEDS_PLAYER } from "./games.js";
import { people, pickBallFrom, pickPlayer } from "./picking.js";
import { lang, t, word } from "./words.js";

const BETWEEN = "between";
/** Of which stroke something was seen: null, the one that runs or comes next; a number, one that is over; or of none. */
let chosen = { shots: -1, of: null };

function target(state, live) {
  const last = state.shots?.at(-1)?.n ?? null;
  if (chosen.shots === last) return chosen.of;
  return live.running ? null : last;
}

export function drawFouls(node, state, live, page) {
  const of = target(state, live);
  const last = state.shots?.at(-1)?.n ?? null;
  section(node, [of, last, state.observed, state.board.game, lang()], () => {
    const choose = (value) => () => {
      chosen = { shots: last, of: value };
      page.redraw();
    };
    const game = state.board.game;
    return [
      h("h2", null, t("desk.fouls")),
      h(
        "div",
        { class: "seg", role: "group", "aria-label": t("desk.of_which") },
        button(t("desk.next_stroke"), choose(null), { key: "of-next", pressed: of === null }),
        last === null
          ? null
          : button(t("desk.shot", { n: last }), choose(last), { key: "of-last", pressed: of === last }),
        button(t("desk.between"), choose(BETWEEN), { key: "of-between", pressed: of === BETWEEN }),
      ),
      h(
        "div",
        { class: "foul-buttons" },
        Object.entries(FOULS[game]).map(([kind, clause]) =>
          button(
            [h("span", null, t(`observed.${kind}`)), h("span", { class: "clause" }, clause)],
            () => say(kind, of, state),
            { key: `foul-${kind}`, kind: "foul" },
          ),
        ),
      ),
      h(
        "div",
        { class: "foul-buttons" },
        button(t("observed.interference"), () => interference(of, state), { key: "foul-interference", kind: "foul" }),
        button(t("observed.not_a_stroke"), () => send({ kind: "not_a_stroke" }, of, state), {
          key: "foul-not_a_stroke",
          kind: "foul",
        }),
        ["8-ball", "14.1", "pyramid-combined"].includes(game)
          ? button(t("observed.call_not_valid"), () => send({ kind: "call_valid", value: false }, of, state), {
              key: "foul-call",
              kind: "foul",
            })
          : null,
      ),
      state.observed?.length
        ? h(
            "p",
            { class: "list" },
            h("span", { class: "faint" }, t("desk.waiting")),
            state.observed.map((each, i) =>
              h(
                "button",
                {
                  type: "button",
                  class: "button",
                  "data-key": `seen-${i}`,
                  "aria-label": `${t("desk.take_back")}: ${t(`observed.${each.kind}`)}`,
                  onclick: () =>
                    postObserved(
                      null,
                      state.observed.filter((_, j) => j !== i),
                    ),
                },
                `${t(`observed.${each.kind}`)}${each.ball ? ` (${word("balls", each.ball)})` : ""}`,
                " ✕",
              ),
            ),
          )
        : null,
    ];
  });
}

function say(kind, of, state) {
  if (NEEDS_BALL.includes(kind))
    return pickBallFrom(t(`observed.${kind}`), ballsOf(state), (ball) =>
      send({ kind, ball, ...(kind === "touched" ? { by: "player" } : {}) }, of, state),
    );
  if (NEEDS_PLAYER.includes(kind))
    return pickPlayer(t(`observed.${kind}`), state, (player) => send({ kind, player }, of, state));
  return send({ kind }, of, state);
}

function interference(of, state) {
  const node = dialog(
    t("observed.interference"),
    h(
      "div",
      { class: "choices" },
      [...people(state), null].map((who) =>
        button(who ?? t("desk.outsider"), () => {
          node.close();
          send({ kind: "interference", who: who ?? "outside" }, of, state);
        }),
      ),
    ),
  );
}

const postObserved = (n, observed) => attempt(() => post("/api/observed", { n, observed }), t("desk.noted"));

/** Of a stroke that is over it is added; what waits for the next one is sent as a whole; an incident is judged at once. */
function send(seen, of, state) {
  if (of === BETWEEN)
    return attempt(() => post("/api/observed", { incident: true, observed: [seen] }), t("desk.noted"));
  return postObserved(of, of === null ? [...(state.observed ?? []), seen] : [seen]);
}

/** The referee judges that the striker did not do his best: of the last stroke. */
export function miss(page) {
  const state = page.line.state;
  const last = state?.shots?.at(-1)?.n;
  if (!state?.board || !hasMiss(state.board.game) || !last) return undefined;
  return send({ kind: "miss" }, last, state);
}
