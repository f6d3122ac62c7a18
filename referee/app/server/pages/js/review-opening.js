// What held before a clip's first shot, where the analysis had to assume it: what was on, and the score.

import { attempt } from "./api.js";
import { button, h } from "./dom.js";
import { dialog } from "./keys.js";
import { lang, t } from "./words.js";

/** Asks for it; `show(what, body, title, done)` tells what it changes and does it when that is accepted. */
export async function askOpening(review, show) {
  await attempt(async () => {
    const [state, items] = await Promise.all([review.state(), review.items()]);
    const taken = state.opening ?? {};
    const choices = items.find((each) => each.kind === "assumed")?.choices ?? [];
    const title = t("review.opening");
    const on = h(
      "select",
      { "data-key": "opening-on" },
      h("option", { value: -1 }, t("review.opening_taken")),
      choices.map((each, i) => h("option", { value: i }, each[lang()] ?? each.en)),
    );
    const scores = Object.entries(taken.score ?? {}).map(([side, points]) => {
      const field = h("input", { type: "number", inputmode: "numeric", value: points, "data-key": `opening-${side}` });
      return { side, field };
    });
    const body = () => {
      const score = Object.fromEntries(scores.map(({ side, field }) => [side, Math.round(Number(field.value)) || 0]));
      return { state: { ...taken, ...choices[Number(on.value)]?.value, score } };
    };
    const node = dialog(
      title,
      [
        choices.length ? h("label", { class: "field" }, h("span", null, t("review.opening_on")), on) : null,
        h(
          "div",
          { class: "row" },
          scores.map(({ side, field }) =>
            h("label", { class: "field grow" }, h("span", null, t("review.opening_score", { side })), field),
          ),
        ),
      ].filter(Boolean),
      [
        button(t("cancel"), () => node.close(), { kind: "plain" }),
        button(t("editor.preview"), () => show("opening", body(), title, () => node.close()), {
          key: "opening-preview",
          kind: "main",
        }),
      ],
    );
  });
}
