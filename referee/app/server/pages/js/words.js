// All text of the pages, from words/<language>.json; plural forms by the language's own rules.

import { redrawAll } from "./dom.js";
import { loadJson } from "./load.js";

export const LANGUAGES = ["en", "ru"];
const books = new Map();
const listeners = new Set();
let language = "en";

function stored() {
  try {
    return localStorage.getItem("cueref.lang");
  } catch {
    return null;
  }
}

function wanted() {
  const asked = [new URLSearchParams(location.search).get("lang"), stored(), ...(navigator.languages ?? [])];
  return asked.map((each) => each?.slice(0, 2)).find((each) => LANGUAGES.includes(each)) ?? "en";
}

async function book(lang) {
  if (!books.has(lang)) books.set(lang, await loadJson(`/pages/words/${lang}.json`));
  return books.get(lang);
}

export async function loadWords() {
  await Promise.all(LANGUAGES.map(book));
  language = wanted();
  document.documentElement.lang = language;
  apply(document);
}

export const lang = () => language;

/** A dotted key; parts of it may themselves hold dots, as `14.1` does. */
function lookUp(words, key) {
  if (words === null || typeof words !== "object") return undefined;
  if (Object.hasOwn(words, key)) return words[key];
  for (let dot = key.indexOf("."); dot >= 0; dot = key.indexOf(".", dot + 1)) {
    const found = lookUp(words[key.slice(0, dot)], key.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The text of a key such as `desk.undo`; `{fields}` are filled in; `count` chooses the plural form. */
export function t(key, fields = {}, inLanguage = language) {
  let found = lookUp(books.get(inLanguage), key);
  if (found && typeof found === "object") {
    const form = new Intl.PluralRules(inLanguage).select(Math.abs(Number(fields.count ?? 0)));
    found = found[form] ?? found.many ?? found.other;
  }
  if (typeof found !== "string") return key;
  return found.replace(/\{(\w+)\}/g, (whole, name) => (name in fields ? String(fields[name]) : whole));
}

export const has = (key) => t(key) !== key;

/** Words of a ball, pocket, cushion … by its name; a name that has none is shown as it is. */
export function word(kind, name) {
  if (name === null || name === undefined) return "";
  const text = String(name);
  const match = /^([a-z_]+)-(\d+)$/.exec(text);
  if (kind === "balls" && match && has(`balls.${match[1]}`)) return `${t(`balls.${match[1]}`)} ${match[2]}`;
  return has(`${kind}.${text}`) ? t(`${kind}.${text}`) : text.replaceAll("_", " ");
}

export const number = (value, digits = 0) =>
  new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);

export const clock = (date) =>
  new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", second: "2-digit" }).format(date);

export const when = (iso) => {
  const date = new Date(iso);
  return Number.isNaN(date.getTime())
    ? ""
    : new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(date);
};

/** Seconds as `m:ss.mmm`; before the match's first moment they are negative. */
export function seconds(value, digits = 1) {
  if (value === null || value === undefined) return "–";
  const size = Number(Math.abs(value).toFixed(digits));
  const whole = Math.floor(size / 60);
  const rest = (size - whole * 60).toFixed(digits).padStart(digits ? digits + 3 : 2, "0");
  return `${value < 0 && size > 0 ? "−" : ""}${whole}:${rest}`;
}

/** Fills elements with `data-w` (text), `data-w-label`, `data-w-title` and `data-w-placeholder`. */
export function apply(root) {
  for (const node of root.querySelectorAll("[data-w]")) node.textContent = t(node.dataset.w);
  for (const node of root.querySelectorAll("[data-w-label]")) node.setAttribute("aria-label", t(node.dataset.wLabel));
  for (const node of root.querySelectorAll("[data-w-title]")) node.title = t(node.dataset.wTitle);
  for (const node of root.querySelectorAll("[data-w-placeholder]")) node.placeholder = t(node.dataset.wPlaceholder);
}

export function setLanguage(next) {
  language = next;
  try {
    localStorage.setItem("cueref.lang", next);
  } catch {
    // The choice then lasts for this page.
  }
  document.documentElement.lang = next;
  redrawAll();
  apply(document);
  for (const listener of listeners) listener(next);
}

export const onLanguage = (listener) => listeners.add(listener);
