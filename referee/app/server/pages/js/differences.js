// What a correction changes, verdict by verdict, before it is accepted.

import { h } from "./dom.js";
import { lang, number, t, word } from "./words.js";

/** A table of a preview's [{n, field, was, now}]; of very many only the first are told. */
export function differenceTable({ differences = [], total = 0 }) {
  if (!differences.length) return h("p", null, t("differences.none"));
  const more = total - differences.length;
  return h(
    "div",
    { class: "scroll" },
    h(
      "table",
      { class: "plain differences" },
      h(
        "tr",
        null,
        ["shot", "field", "was", "now"].map((each) => h("th", { scope: "col" }, t(`differences.${each}`))),
      ),
      differences.map((each) =>
        h(
          "tr",
          null,
          h("td", { class: "num" }, each.n === null || each.n === undefined ? "" : number(each.n)),
          h("td", null, fieldWords(each.field)),
          h("td", { class: "was" }, value(each.field, each.was)),
          h("td", { class: "now" }, value(each.field, each.now)),
        ),
      ),
    ),
    more > 0 ? h("p", { class: "note" }, t("differences.more", { n: number(more) })) : null,
  );
}

const fieldWords = (field) =>
  String(field)
    .split(".")
    .map((part, i) => (i ? part : t(`differences.fields.${part}`)))
    .join(" · ");

function value(field, data) {
  if (data === null || data === undefined) return field === "legal" ? t("verdict.open") : "–";
  if (field === "legal") return t(data ? "verdict.fair" : "verdict.foul");
  if (typeof data === "boolean") return t(data ? "yes" : "no");
  if (typeof data === "number") return number(data);
  if (field.startsWith("announce") && (data.en || data.ru)) return (data[lang()] ?? data.en).join(". ") || "–";
  if (Array.isArray(data)) return data.length ? data.map((each) => item(each)).join(", ") : "–";
  if (typeof data === "object")
    return (
      Object.entries(data)
        .map(
          ([name, each]) =>
            `${known(name)} ${typeof each === "object" || typeof each === "boolean" ? value(name, each) : known(each)}`,
        )
        .join(", ") || "–"
    );
  return known(data);
}

function item(each) {
  if (each?.clause)
    return each.what
      ? `${each.clause} (${each.value})`
      : `${each.id ? t(`options.${each.id}`) : word("questions", each.question)} ${each.clause}`;
  return typeof each === "number" ? number(each) : known(each);
}

function known(name) {
  for (const kind of ["balls", "on", "cue_ball", "options", "differences.next", "differences.verdict"]) {
    const found = t(`${kind}.${name}`);
    if (found !== `${kind}.${name}`) return found;
  }
  return word("balls", String(name));
}
