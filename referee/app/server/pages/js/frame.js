// What every page has: words, colours, the bar at the top, the line to the server, the voice, keys.

import { loadBalls, ballPicture } from "./balls.js";
import { $, h, s, section } from "./dom.js";
import { get } from "./api.js";
import { Keys } from "./keys.js";
import { Line } from "./socket.js";
import { Voice } from "./voice.js";
import { clock, lang, LANGUAGES, loadWords, onLanguage, setLanguage, t } from "./words.js";

const PAGES = [
  ["menu", "/"],
  ["board", "/board"],
  ["table", "/table"],
  ["desk", "/desk"],
  ["review", "/review"],
];
const ICONS = {
  voice: ["M4 9v6h4l5 4V5L8 9z", "M16.5 8.5a5 5 0 0 1 0 7", "M19 6a8.5 8.5 0 0 1 0 12"],
  mute: ["M4 9v6h4l5 4V5L8 9z", "M17 9.5l5 5", "M22 9.5l-5 5"],
  dark: ["M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z"],
  light: [
    "M12 7.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9z",
    "M12 2v2.5M12 19.5V22M2 12h2.5M19.5 12H22M5 5l1.7 1.7M17.3 17.3L19 19M5 19l1.7-1.7M17.3 6.7L19 5",
  ],
  keys: ["M3 6h18v12H3z", "M7 10h.01M11 10h.01M15 10h.01M8 14h8"],
};

const icon = (name) =>
  s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, ...ICONS[name].map((d) => s("path", { d })));

/**
 * Begins a page. `draw(state)` is called with the first state and after each change, and after a change of language.
 * Returns { line, voice, keys, redraw }.
 */
export async function begin(name, draw = () => {}, { live = true } = {}) {
  await Promise.all([loadWords(), loadBalls()]);
  const line = new Line();
  const voice = new Voice();
  const keys = new Keys();
  const page = { line, voice, keys, calls: [], match: null };
  page.redraw = () => {
    document.title = `${t(`nav.${name}`)} · cueref`;
    bar(name, page);
    draw(line.state, page);
  };
  onLanguage(page.redraw);
  keys.add("l", "keys.language", () => setLanguage(LANGUAGES[(LANGUAGES.indexOf(lang()) + 1) % LANGUAGES.length]));
  keys.add("d", "keys.theme", () => switchTheme(page));
  keys.add("v", "keys.voice", () => voice.toggle(page.calls));
  PAGES.forEach(([each, path], i) => keys.add(String(i + 1), `nav.${each}`, () => location.assign(path)));
  voice.addEventListener("change", page.redraw);
  line.addEventListener("status", page.redraw);
  line.addEventListener("hello", page.redraw);
  line.addEventListener("state", ({ detail }) => {
    takeState(page, detail);
    page.redraw();
  });
  line.addEventListener("call", ({ detail }) => takeCall(page, detail.call ?? detail));
  line.addEventListener("source", () => page.redraw());
  page.redraw();
  if (live) line.open();
  return page;
}

function takeState(page, { state, snapshot }) {
  if (!state?.match) return;
  const calls = state.calls ?? [];
  page.voice.begin(state.match.id ?? "match", state.match.lang ?? lang(), calls);
  if (snapshot && page.match !== state.match.id) page.calls = [];
  page.match = state.match.id;
  for (const call of calls) takeCall(page, call);
}

function takeCall(page, call) {
  if (!page.calls.some((each) => each.id === call.id)) page.calls = [...page.calls, call].slice(-60);
  page.voice.call(call);
  const place = $("#call-live");
  const words = call.announce?.[lang()] ?? [];
  if (place && place.dataset.id !== String(call.id)) {
    place.dataset.id = String(call.id);
    place.textContent = words.join(". ");
  }
}

/** The last call that still holds, in the page's language. */
export function lastCall(page) {
  const taken = new Set(page.calls.flatMap((each) => each.retracts ?? []));
  const holding = page.calls.filter((each) => !taken.has(each.id) && (each.announce?.[lang()] ?? []).length);
  return holding.at(-1) ?? null;
}

function switchTheme(page) {
  const root = document.documentElement;
  root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
  try {
    localStorage.setItem("cueref.theme", root.dataset.theme);
  } catch {
    // The choice then lasts for this page.
  }
  page.redraw();
}

function bar(name, page) {
  const { line, voice } = page;
  const dark = document.documentElement.dataset.theme === "dark";
  const data = [name, line.status, line.role, voice.on, voice.wanted, voice.possible, dark, lang()];
  section($("#bar"), data, () => [
    h("a", { class: "brand", href: "/" }, ballPicture("red"), "cueref"),
    h(
      "nav",
      { "aria-label": t("nav.label") },
      PAGES.map(([each, path]) =>
        h("a", { href: path, "aria-current": each === name ? "page" : null }, t(`nav.${each}`)),
      ),
    ),
    h(
      "div",
      { class: "tools" },
      h(
        "span",
        { class: "line", "data-line": line.status, title: t(`line.${line.status}`) },
        h("span", null, t(`line.${line.status}`)),
      ),
      voice.possible &&
        tool(
          "voice",
          voice.on ? "voice" : "mute",
          t(voice.wanted ? (voice.on ? "voice.mute" : "voice.touch") : "voice.unmute"),
          () => voice.toggle(page.calls),
          voice.wanted,
        ),
      tool("theme", dark ? "light" : "dark", t(dark ? "theme.light" : "theme.dark"), () => switchTheme(page)),
      h(
        "button",
        {
          type: "button",
          class: "tool",
          "data-key": "language",
          lang: lang() === "en" ? "ru" : "en",
          "aria-label": t("language.switch"),
          title: t("language.switch"),
          onclick: () => setLanguage(lang() === "en" ? "ru" : "en"),
        },
        lang() === "en" ? "RU" : "EN",
      ),
      tool("keys", "keys", t("keys.title"), () => page.keys.show()),
    ),
  ]);
  const banner = $("#banner");
  if (banner) {
    banner.hidden = line.status !== "down";
    if (line.downSince) banner.textContent = t("line.banner", { time: clock(line.downSince) });
  }
}

function tool(key, picture, label, onclick, pressed = null) {
  return h(
    "button",
    {
      type: "button",
      class: "tool",
      "data-key": key,
      "aria-label": label,
      title: label,
      "aria-pressed": pressed === null ? null : String(pressed),
      onclick,
    },
    icon(picture),
  );
}

/** Whether this browser holds the referee's role, from the server. */
export async function role() {
  try {
    return (await get("/api/session")).role ?? "viewer";
  } catch {
    return "viewer";
  }
}
