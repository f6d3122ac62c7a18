// By which rules: the rule set, and each point that the books leave open.

import { button, h } from "./dom.js";
import { t, word } from "./words.js";

/** The rule set and the policies of a game, as a card; what is chosen goes into `form.rules` and `form.options`. */
export function rulesCard(form, game, change, page) {
  const policies = game.policies.filter(
    (each) => each.choices.length !== 1 && t(`policies.${each.name}.about`) !== `policies.${each.name}.about`,
  );
  const standard = (each) => (form.rules === "current" ? each.current : each.default);
  const set = (each, value) => {
    if (value === standard(each)) delete form.options[each.name];
    else form.options[each.name] = value;
    page.redraw();
  };
  return h(
    "section",
    { class: "card" },
    h("h2", null, t("setup.rules")),
    h(
      "div",
      { class: "seg", role: "group", "aria-label": t("setup.rules") },
      game.rules.map((each) =>
        button(
          t(`setup.rule_set.${each}`),
          () => {
            form.options = {};
            change("rules", each);
          },
          { key: `rules-${each}`, pressed: form.rules === each },
        ),
      ),
    ),
    h(
      "details",
      null,
      h(
        "summary",
        { "data-key": "policies" },
        t("setup.policies"),
        Object.keys(form.options).length
          ? h("span", { class: "chip" }, t("setup.changed", { count: Object.keys(form.options).length }))
          : null,
      ),
      h(
        "div",
        { class: "policies" },
        policies.map((each) => {
          const now = form.options[each.name] ?? standard(each);
          const label = [t(`policies.${each.name}.about`), h("span", { class: "clause" }, each.id)];
          if (!each.choices.length)
            return h(
              "label",
              { class: "field" },
              h("span", null, label),
              h("input", {
                type: "number",
                step: 0.1,
                min: 0,
                value: now,
                onchange: (event) => set(each, Number(event.target.value)),
              }),
            );
          return h(
            "label",
            { class: "field" },
            h("span", null, label),
            h(
              "select",
              { onchange: (event) => set(each, each.choices[event.target.selectedIndex]) },
              each.choices.map((choice) =>
                h(
                  "option",
                  { value: String(choice), selected: choice === now },
                  word(`policies.${each.name}.choices`, String(choice)),
                ),
              ),
            ),
          );
        }),
      ),
    ),
  );
}
