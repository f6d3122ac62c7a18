// Asking for a ball or a player with one more touch.

import { ballPicture } from "./balls.js";
import { button, h } from "./dom.js";
import { kindWord, oneOfEach } from "./games.js";
import { dialog } from "./keys.js";

/** Asks for one of these balls. */
export function pickBallFrom(title, names, done) {
  const node = dialog(
    title,
    h(
      "div",
      { class: "balls" },
      oneOfEach(names).map((name) =>
        h(
          "button",
          {
            type: "button",
            class: "button",
            "data-ball": name,
            "aria-label": kindWord(name),
            title: kindWord(name),
            onclick: () => {
              node.close();
              done(name);
            },
          },
          ballPicture(name),
        ),
      ),
    ),
  );
}

export const people = (state) =>
  Object.values(state.match.teams ?? {})
    .flat()
    .concat(state.match.teams ? [] : Object.keys(state.board.score));

export function pickPlayer(title, state, done, names = people(state)) {
  const node = dialog(
    title,
    h(
      "div",
      { class: "choices" },
      names.map((player) =>
        button(player, () => {
          node.close();
          done(player);
        }),
      ),
    ),
  );
}
