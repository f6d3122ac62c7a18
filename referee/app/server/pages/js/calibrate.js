// The table in the picture: found by itself and confirmed, or its named points dragged to where they are seen.

import { attempt, get, post } from "./api.js";
import { $, button, h, s, section } from "./dom.js";
import { LivePicture } from "./live-picture.js";
import { lang, number, t, word } from "./words.js";

const ASK_MS = 1500;
const FIRST = ["bottom-left", "bottom-right", "top-left", "top-right"];

const picture = new LivePicture("markings", (width, height) => sized(width, height));
const marks = s("svg", { class: "marks", role: "group" });
const stage = h("div", { class: "stage" }, picture.node, marks);
const head = h("div", { class: "stack" });
const foot = h("div", { class: "stack" });
let timer = null;
let page = null;
let found = null;
let size = null;
let dragging = false;
let points = {};
let moved = new Set();

export function drawCalibration(node, state, current) {
  page = current;
  if (!state) {
    stop();
    node.replaceChildren();
    return;
  }
  if (!stage.isConnected) {
    node.replaceChildren(head, stage, foot);
    picture.start();
    ask();
  }
  section(
    head,
    [found?.phase, found?.reason, found?.rms_mm, found?.rms_px, found?.warnings, dragging, page.line.role, lang()],
    () => [
      h("h1", null, t("calibrate.title")),
      h(
        "p",
        {
          class: `note ${found?.phase === "found" || found?.phase === "accepted" ? "good" : found?.phase === "failed" ? "bad" : ""}`,
          role: "status",
        },
        status(),
      ),
      (found?.warnings_text ?? []).map((each) => h("p", { class: "note" }, each[lang()])),
    ],
  );
  section(foot, [found?.phase, dragging, moved.size, Object.keys(points), page.line.role, lang()], () => [
    h(
      "div",
      { class: "row" },
      button(t("calibrate.accept"), accept, {
        key: "accept",
        kind: "main",
        disabled: !["found", "accepted"].includes(found?.phase) || dragging,
      }),
      button(t("calibrate.find"), find, { key: "find" }),
      button(t(dragging ? "calibrate.stop" : "calibrate.drag"), () => drag(!dragging), {
        key: "drag",
        pressed: dragging,
      }),
      dragging ? button(t("calibrate.use"), use, { key: "use", kind: "main", disabled: usable().length < 4 }) : null,
    ),
    dragging ? h("p", { class: "faint" }, t("calibrate.how")) : h("p", { class: "faint" }, t("calibrate.check")),
    dragging && missing().length
      ? h(
          "div",
          { class: "row" },
          h("span", { class: "faint" }, t("calibrate.add")),
          missing().map((name) => button(point(name), () => add(name), { key: `add-${name}` })),
        )
      : null,
  ]);
}

function status() {
  if (!found) return t("line.connecting");
  if (found.phase === "failed") return t("calibrate.failed", { reason: found.reason_text?.[lang()] ?? "" });
  const off =
    found.rms_mm === undefined || found.rms_mm === null ? "" : t("calibrate.off", { mm: number(found.rms_mm, 1) });
  return [t(`calibrate.phase.${found.phase}`), off].filter(Boolean).join(" ");
}

const point = (name) => (t(`points.${name}`) === `points.${name}` ? word("pockets", name) : t(`points.${name}`));
const missing = () => (found?.names ?? []).filter((name) => !(name in points));
const usable = () =>
  moved.size && found?.phase === "failed" ? Object.keys(points).filter((name) => moved.has(name)) : Object.keys(points);

async function ask() {
  clearTimeout(timer);
  try {
    const answer = await get("/api/calibration");
    if (!dragging) {
      found = answer;
      if (found.size) [size] = [found.size];
    } else if (answer.phase !== "searching") {
      found = { ...answer, points: found?.points };
    }
    page?.redraw();
  } catch {
    // The line's own banner says that the server doesn't answer.
  }
  if (stage.isConnected) timer = setTimeout(ask, ASK_MS);
}

function stop() {
  clearTimeout(timer);
  picture.stop();
  dragging = false;
  marks.replaceChildren();
}

function sized(width, height) {
  if (marks.getAttribute("viewBox") !== `0 0 ${width} ${height}`)
    marks.setAttribute("viewBox", `0 0 ${width} ${height}`);
  stage.style.setProperty("--ratio", width / height);
  size ??= [width, height];
}

const find = () =>
  attempt(async () => {
    drag(false);
    found = await post("/api/calibration", { find: true });
    page.redraw();
    ask();
  });

const accept = () =>
  attempt(async () => {
    await post("/api/calibration/accept");
    location.assign("/desk");
  });

const use = () =>
  attempt(async () => {
    found = await post("/api/calibration", {
      points: Object.fromEntries(usable().map((name) => [name, points[name]])),
    });
    drag(false);
    ask();
  });

function drag(on) {
  dragging = on;
  moved = new Set();
  picture.draw = on ? "none" : "markings";
  points = {};
  if (on) {
    const [width, height] = size ?? [1280, 720];
    const start = found?.points && Object.keys(found.points).length ? found.points : {};
    points = Object.fromEntries(
      Object.entries(start).filter(([, [u, v]]) => u >= 0 && v >= 0 && u <= width && v <= height),
    );
    if (!Object.keys(points).length) {
      const corners = {
        "bottom-left": [0.15, 0.15],
        "bottom-right": [0.15, 0.85],
        "top-left": [0.85, 0.15],
        "top-right": [0.85, 0.85],
      };
      points = Object.fromEntries(FIRST.map((name) => [name, [corners[name][0] * width, corners[name][1] * height]]));
    }
  }
  drawMarks();
  page.redraw();
}

function add(name) {
  const [width, height] = size ?? [1280, 720];
  points[name] = [width / 2, height / 2];
  drawMarks();
  page.redraw();
  $(`[data-point="${name}"]`, marks)?.focus();
}

function drawMarks() {
  const unit = (size?.[0] ?? 1280) / 100;
  marks.setAttribute("aria-label", t("calibrate.points"));
  marks.replaceChildren(...Object.entries(points).map(([name, place]) => handle(name, place, unit)));
}

function handle(name, place, unit) {
  const node = s(
    "g",
    {
      class: name.startsWith("d-") || name.startsWith("baulk-") ? "handle shy" : "handle",
      tabindex: 0,
      role: "button",
      "data-point": name,
      "aria-label": `${point(name)}: ${t("calibrate.move")}`,
    },
    s("circle", { r: 2.6 * unit, class: "grip" }),
    s("circle", { r: 0.5 * unit, class: "centre" }),
    s("path", { d: `M${-1.6 * unit} 0H${1.6 * unit}M0 ${-1.6 * unit}V${1.6 * unit}`, class: "cross" }),
    s("text", { y: -1.9 * unit, "font-size": 1.7 * unit, "text-anchor": "middle" }, point(name)),
  );
  const put = ([u, v]) => {
    points[name] = [Math.round(u * 10) / 10, Math.round(v * 10) / 10];
    moved.add(name);
    node.setAttribute("transform", `translate(${points[name].join(" ")})`);
  };
  node.setAttribute("transform", `translate(${place.join(" ")})`);
  node.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    node.setPointerCapture(event.pointerId);
    node.focus();
  });
  node.addEventListener("pointermove", (event) => {
    if (!node.hasPointerCapture(event.pointerId)) return;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(marks.getScreenCTM().inverse());
    put([at.x, at.y]);
  });
  node.addEventListener("pointerup", () => page.redraw());
  node.addEventListener("keydown", (event) => {
    const step = event.shiftKey ? 10 : 0.5;
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (event.key === "Delete") {
      delete points[name];
      drawMarks();
      page.redraw();
    }
    if (!way) return;
    event.preventDefault();
    event.stopPropagation();
    put([points[name][0] + way[0] * step, points[name][1] + way[1] * step]);
    page.redraw();
  });
  return node;
}
