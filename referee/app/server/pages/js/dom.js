// Building the page: elements without markup in strings, and sections drawn anew only when their data changed.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "value" && "value" in node) node.value = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((each) => each !== null && each !== undefined && each !== false));
  return node;
}

/** An HTML element; `on…` attributes are listeners, null and false attributes are left out. */
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function s(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

export const $ = (selector, root = document) => root.querySelector(selector);
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

const RELEASE_MS = 60;
const drawn = new WeakMap();
const waiting = new Map();
let edition = 0;
let pressed = null;

// What is under a finger is not replaced before the finger is lifted: its click would be lost.
addEventListener(
  "pointerdown",
  (event) => {
    pressed = event.target;
  },
  true,
);
for (const each of ["pointerup", "pointercancel"]) {
  addEventListener(
    each,
    () =>
      setTimeout(() => {
        pressed = null;
        const all = [...waiting];
        waiting.clear();
        for (const [node, [data, draw]] of all) section(node, data, draw);
      }, RELEASE_MS),
    true,
  );
}

/** After a change of language everything is drawn anew. */
export function redrawAll() {
  edition += 1;
}

/**
 * Draws `node`'s content with `draw()` where `data` differs from the last time. The focus stays where it was, details stay
 * open, lists with `data-scroll` where they were scrolled to, and what is typed into a field with `data-typed`.
 */
export function section(node, data, draw) {
  if (!node) return;
  const key = `${edition}:${JSON.stringify(data) ?? ""}`;
  if (drawn.get(node) === key) {
    waiting.delete(node);
    return;
  }
  if (pressed && node.contains(pressed)) {
    waiting.set(node, [data, draw]);
    return;
  }
  drawn.set(node, key);
  const focused = node.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  const opened = $$("details[open] > summary[data-key]", node).map((each) => each.dataset.key);
  const scrolled = $$("[data-scroll]", node).map((each) => each.scrollTop);
  const typed = $$("input[data-typed]", node).map((each) => [each.dataset.key, each.value]);
  node.replaceChildren(
    ...[draw()].flat(Infinity).filter((each) => each !== null && each !== undefined && each !== false),
  );
  for (const [name, text] of typed) {
    const field = $$("input[data-typed]", node).find((each) => each.dataset.key === name);
    if (field) field.value = text;
  }
  for (const each of $$("details > summary[data-key]", node)) {
    if (opened.includes(each.dataset.key)) each.parentElement.open = true;
  }
  $$("[data-scroll]", node).forEach((each, i) => {
    each.scrollTop = scrolled[i] ?? 0;
  });
  if (focused)
    $$("[data-key]", node)
      .find((each) => each.dataset.key === focused)
      ?.focus();
}

export function button(
  text,
  onclick,
  { kind = "", key = null, pressed = null, disabled = false, label = null, small = null } = {},
) {
  return h(
    "button",
    {
      type: "button",
      class: `button ${kind}`.trim(),
      "data-key": key,
      "aria-pressed": pressed === null ? null : String(pressed),
      "aria-label": label,
      title: label,
      disabled,
      onclick,
    },
    text,
    small && h("small", null, small),
  );
}
