// The balls as they look: colours from balls.json, stripes, numbers, light from above.

import { h, s } from "./dom.js";
import { loadJson } from "./load.js";
import { t, word } from "./words.js";

let colours = { numbers: [] };

export async function loadBalls() {
  colours = await loadJson("/pages/balls.json");
  const stop = (offset, colour, opacity) => s("stop", { offset, "stop-color": colour, "stop-opacity": opacity });
  document.body.prepend(
    s(
      "svg",
      { class: "defs", "aria-hidden": "true" },
      s(
        "radialGradient",
        { id: "ball-shade", cx: 0.38, cy: 0.32, r: 0.78 },
        stop(0, "#fff", 0.34),
        stop(0.42, "#fff", 0),
        stop(0.72, "#000", 0.06),
        stop(1, "#000", 0.46),
      ),
      s(
        "radialGradient",
        { id: "ball-light", cx: 0.5, cy: 0.5, r: 0.5 },
        stop(0, "#fff", 0.95),
        stop(0.55, "#fff", 0.35),
        stop(1, "#fff", 0),
      ),
      s("clipPath", { id: "ball-band" }, s("rect", { x: -1, y: -0.56, width: 2, height: 1.12 })),
    ),
  );
}

export const kindOf = (name) => /^(red|solid|stripe|ball)-\d+$/.exec(name)?.[1] ?? name;
export const isStriped = (name) => kindOf(name) === "stripe" || (/^\d+$/.test(name) && Number(name) > 8);

export function colourOf(name) {
  const count = Number(name);
  if (/^\d+$/.test(name) && count >= 1 && count <= 15) return colours.numbers[(count - 1) % 8];
  return colours[kindOf(name)] ?? "#c8c8c8";
}

/** The ball as shapes in a circle of radius 1 around the origin. */
export function ballShapes(name) {
  const colour = colourOf(name);
  const numbered = /^\d+$/.test(name);
  const parts = [];
  if (isStriped(name)) {
    parts.push(
      s("circle", { r: 1, fill: colours.cue }),
      s("circle", { r: 1, fill: colour, "clip-path": "url(#ball-band)" }),
    );
  } else {
    parts.push(s("circle", { r: 1, fill: colour }));
  }
  if (numbered) {
    parts.push(
      s("circle", { r: 0.5, fill: "#fbfaf4" }),
      s(
        "text",
        {
          x: 0,
          y: 0.03,
          "font-size": name.length > 1 ? 0.56 : 0.72,
          "font-weight": 700,
          "text-anchor": "middle",
          "dominant-baseline": "central",
          fill: "#14140f",
          "font-family": "Arial, sans-serif",
        },
        name,
      ),
    );
  }
  parts.push(
    s("circle", { r: 1, fill: "url(#ball-shade)" }),
    s("ellipse", { cx: -0.32, cy: -0.42, rx: 0.3, ry: 0.22, fill: "url(#ball-light)" }),
  );
  return parts;
}

const EVERY_COLOUR = ["yellow", "green", "brown", "blue", "pink", "black"];

/** Any colour as one ball of six sectors; a group as a ball of its kind without a number. */
function special(name) {
  if (name === "colour") {
    const at = (i) => [Math.sin((i * Math.PI) / 3), -Math.cos((i * Math.PI) / 3)].map((v) => v.toFixed(4)).join(" ");
    return [
      ...EVERY_COLOUR.map((each, i) =>
        s("path", { d: `M0 0 L${at(i)} A1 1 0 0 1 ${at(i + 1)} Z`, fill: colours[each] }),
      ),
      s("circle", { r: 1, fill: "url(#ball-shade)" }),
    ];
  }
  if (name === "solids") return ballShapes("solid");
  if (name === "stripes") return ballShapes("stripe");
  if (name === "any") return ballShapes("ball");
  return null;
}

/** A ball as a picture of its own; with `label` it is read out, without it is decoration. */
export function ballPicture(name, { label = null } = {}) {
  const attributes = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
  return s(
    "svg",
    { class: "ball", viewBox: "-1.08 -1.08 2.16 2.16", ...attributes },
    ...(special(name) ?? ballShapes(name)),
    s("circle", { r: 1.02, fill: "none", stroke: "currentColor", "stroke-opacity": 0.45, "stroke-width": 0.07 }),
  );
}

/** What is on, drawn and in words; an empty list says that it isn't known. */
export function onPictures(on, freeBall = false) {
  if (!on?.length) return [h("span", { class: "faint" }, t("on.unknown"))];
  return [
    ...on.map((each) => ballPicture(each, { label: onWords([each]) })),
    freeBall ? h("span", { class: "chip" }, t("on.free_ball")) : null,
  ];
}

export const onWords = (on) =>
  on?.length
    ? on.map((each) => (t(`on.${each}`) === `on.${each}` ? word("balls", each) : t(`on.${each}`))).join(", ")
    : t("on.unknown");

/** A button with a ball on it; its name is its label. */
export function ballButton(name, onclick, { pressed = null, text = null, disabled = false, kind = "" } = {}) {
  const label = text ?? word("balls", name);
  return h(
    "button",
    {
      type: "button",
      class: `button ${kind}`.trim(),
      "data-key": `ball-${name}`,
      "data-ball": name,
      "aria-label": label,
      title: label,
      "aria-pressed": pressed === null ? null : String(pressed),
      disabled,
      onclick,
    },
    ballPicture(name),
  );
}

const ORDER = ["cue", "red", "yellow", "green", "brown", "blue", "pink", "black"];

/** In the usual order: the cue ball, reds, colours by value; numbers by size. */
export function sorted(names) {
  const rank = (name) => {
    if (/^\d+$/.test(name)) return 100 + Number(name);
    const [, kind, count] = /^([a-z]+)-?(\d*)$/.exec(name) ?? [null, name, ""];
    const place = ORDER.indexOf(kind);
    return (place < 0 ? 50 : place) * 1 + (count ? Number(count) / 100 : 0);
  };
  return [...names].sort((a, b) => rank(a) - rank(b));
}
