// The drawn table with its balls: where they are, where they went, what is on, what hides what, where they belong.

import { ballShapes, colourOf } from "./balls.js";
import { drawBed, POCKETS, pocketPlace, RAIL_MM } from "./bed.js";
import { h, s } from "./dom.js";
import { ballsOn, waysTo } from "./sight.js";
import { number, t, word } from "./words.js";

const STEP_MM = 8;
const MOST_POINTS = 900;

/**
 * A table in `holder`. `upright`: baulk end below, else at the left; null: as the holder's shape suits.
 * Touching a ball or a pocket calls `onball(name)` and `onpocket(name)` where given.
 */
export class DrawnTable {
  #balls = new Map();
  #trails = new Map();
  #moving = false;
  #seen = "";
  #built = "";

  constructor(holder, { upright = null, onball = null, onpocket = null } = {}) {
    this.holder = holder;
    this.upright = upright;
    this.onball = onball;
    this.onpocket = onpocket;
    this.table = null;
    this.places = {};
    this.show = { trails: true, lines: true, names: false };
    this.on = [];
    this.freeBall = false;
    this.wanted = null;
    this.off = {};
    this.marked = null;
    new ResizeObserver(() => this.#build()).observe(holder);
  }

  /** The table's sizes as the server gives them; without them nothing is drawn. */
  setTable(table) {
    this.table = table;
    this.#build();
  }

  get #isUpright() {
    return this.upright ?? this.holder.clientHeight > this.holder.clientWidth;
  }

  /** mm on the table → the drawing's own coordinates (mm too). */
  at([x, y]) {
    return this.#isUpright ? [x, this.table.length - y] : [y, x];
  }

  #build() {
    if (!this.table) return;
    const key = `${JSON.stringify(this.table)}${this.#isUpright}`;
    if (key === this.#built) return;
    this.#built = key;
    const margin = RAIL_MM + 8;
    const [across, up] = this.#isUpright
      ? [this.table.width, this.table.length]
      : [this.table.length, this.table.width];
    const at = (place) => this.at(place);
    this.layers = Object.fromEntries(
      ["lines", "trails", "wanted", "balls", "notes", "touch"].map((each) => [each, s("g", { class: each })]),
    );
    this.svg = s(
      "svg",
      {
        class: "drawn-table",
        viewBox: `${-margin} ${-margin} ${across + 2 * margin} ${up + 2 * margin}`,
        role: "img",
        preserveAspectRatio: "xMidYMid meet",
      },
      s("title", null, t("table.title")),
      s("g", { class: "bed" }, drawBed(this.table, at)),
      Object.values(this.layers),
    );
    this.#balls.clear();
    this.holder.replaceChildren(this.svg);
    this.#pockets();
    this.draw();
  }

  #pockets() {
    if (!this.onpocket) return;
    this.svg.setAttribute("role", "group");
    this.svg.setAttribute("aria-label", t("table.title"));
    for (const name of POCKETS) {
      const [cx, cy] = this.at(pocketPlace(this.table, name));
      const go = () => this.onpocket(name);
      const node = s("circle", {
        cx,
        cy,
        r: 120,
        class: "touch-pocket",
        tabindex: 0,
        role: "button",
        "aria-label": `${t("pocket")}: ${word("pockets", name)}`,
        "data-pocket": name,
        onclick: go,
      });
      node.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        go();
      });
      this.layers.touch.append(node);
    }
  }

  /** Balls as the camera sees them now: name → {x, y, s, v}. Trails grow while balls move and last until the next stroke. */
  live(balls) {
    const key = Object.entries(balls)
      .map(([name, { x, y, s: state, v }]) => `${name} ${Math.round(x)} ${Math.round(y)} ${state} ${v}`)
      .join();
    if (key === this.#seen) return;
    this.#seen = key;
    const moving = Object.values(balls).some((ball) => ball.s === "moving");
    if (moving && !this.#moving) this.#trails.clear();
    this.#moving = moving;
    for (const [name, ball] of Object.entries(balls)) {
      if (ball.s !== "moving" || ball.x === null) continue;
      const path = this.#trails.get(name) ?? [[ball.x, ball.y]];
      const last = path.at(-1);
      if (Math.hypot(ball.x - last[0], ball.y - last[1]) >= STEP_MM) path.push([ball.x, ball.y]);
      this.#trails.set(name, path.slice(-MOST_POINTS));
    }
    this.setBalls(balls);
  }

  /** What was seen is not seen any more: the balls stay where they were last, drawn faint. */
  fade() {
    this.#seen = "";
    this.#moving = false;
    this.setBalls(
      Object.fromEntries(Object.entries(this.places).map(([name, ball]) => [name, { ...ball, s: "hidden", v: false }])),
    );
  }

  /** Balls as {x, y, …} or [x, y]. */
  setBalls(balls) {
    this.places = Object.fromEntries(
      Object.entries(balls)
        .map(([name, ball]) => [name, Array.isArray(ball) ? { x: ball[0], y: ball[1], s: "rest", v: true } : ball])
        .filter(([, ball]) => ball.x !== null && ball.x !== undefined),
    );
    this.draw();
  }

  setTrails(trails) {
    this.#trails = new Map(Object.entries(trails));
    this.draw();
  }

  draw() {
    if (!this.layers) return;
    this.#drawBalls();
    this.#drawTrails();
    this.#drawLines();
    this.#drawWanted();
  }

  #drawBalls() {
    const radius = this.table.ball_diameter / 2;
    const on = new Set(this.on?.length ? ballsOn(this.on, Object.keys(this.places), this.freeBall) : []);
    for (const [name, node] of this.#balls) {
      if (!(name in this.places)) {
        node.remove();
        this.#balls.delete(name);
      }
    }
    for (const [name, ball] of Object.entries(this.places)) {
      let node = this.#balls.get(name);
      if (!node) {
        node = this.#ball(name);
        this.#balls.set(name, node);
        this.layers.balls.append(node);
      }
      const [x, y] = this.at([ball.x, ball.y]);
      node.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${radius})`);
      const state = `${ball.v === false || ball.s === "hidden" ? " unseen" : ""}${on.has(name) ? " is-on" : ""}${this.marked === name ? " marked" : ""}`;
      node.setAttribute("class", `ball${state}`);
    }
    this.layers.balls.classList.toggle("names", this.show.names);
  }

  #ball(name) {
    const label = word("balls", name);
    const attributes = this.onball
      ? { tabindex: 0, role: "button", "aria-label": label, "data-ball": name }
      : { "data-ball": name };
    const node = s(
      "g",
      attributes,
      s("title", null, label),
      s("circle", { r: 1.62, class: "ring" }),
      s("ellipse", { cx: 0.18, cy: 0.28, rx: 1.05, ry: 1.02, class: "shadow" }),
      ballShapes(name),
      s("text", { x: 0, y: -1.5, class: "name", "text-anchor": "middle" }, label),
    );
    if (this.onball) {
      node.prepend(s("circle", { r: 1.7, class: "touch-ball" }));
      node.addEventListener("click", () => this.onball(name));
      node.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        this.onball(name);
      });
    }
    return node;
  }

  #drawTrails() {
    const paths = this.show.trails ? [...this.#trails] : [];
    this.layers.trails.replaceChildren(
      ...paths
        .filter(([, path]) => path.length > 1)
        .map(([name, path]) =>
          s("polyline", {
            points: path
              .map((place) =>
                this.at(place)
                  .map((v) => v.toFixed(0))
                  .join(","),
              )
              .join(" "),
            stroke: colourOf(name),
            class: "trail",
          }),
        ),
    );
  }

  /** From the cue ball to the balls on: open ways as a light wedge, what is hidden as a dashed line to what hides it. */
  #drawLines() {
    const cue = this.places.cue;
    const lines = [];
    if (this.show.lines && cue && !this.#moving && this.on?.length) {
      const names = ballsOn(this.on, Object.keys(this.places), this.freeBall);
      const found = names.map((name) => [name, this.#ways(name)]);
      const best = Math.max(0, ...found.map(([, ways]) => ways.free));
      const shown =
        found.length > 7 && best === 1 ? found.filter(([, ways]) => ways.sees !== "full").slice(0, 6) : found;
      for (const [, ways] of shown) if (ways.rays.length) lines.push(...this.#wedge(ways));
    }
    this.layers.lines.replaceChildren(...lines);
  }

  #ways(name) {
    const place = (each) => [this.places[each].x, this.places[each].y];
    const others = Object.keys(this.places)
      .filter((each) => each !== name && each !== "cue")
      .map((each) => [each, place(each)]);
    return waysTo(place("cue"), place(name), others, this.table.ball_diameter);
  }

  #wedge(ways) {
    const cue = this.at([this.places.cue.x, this.places.cue.y]);
    const point = (place) =>
      this.at(place)
        .map((v) => v.toFixed(0))
        .join(" ");
    const parts = [];
    let run = [];
    const close = () => {
      if (run.length > 1)
        parts.push(
          s("path", {
            d: `M${cue.map((v) => v.toFixed(0)).join(" ")}L${run.map(point).join("L")}Z`,
            class: "open-way",
          }),
        );
      run = [];
    };
    for (const ray of ways.rays) {
      if (ray.by === null) run.push(ray.end);
      else close();
    }
    close();
    for (const ray of ways.edges) {
      const end = this.at(ray.end);
      parts.push(
        s("line", {
          x1: cue[0],
          y1: cue[1],
          x2: end[0],
          y2: end[1],
          class: ray.by === null ? "edge" : "edge hidden-way",
        }),
      );
      if (ray.by !== null)
        parts.push(s("circle", { cx: end[0], cy: end[1], r: this.table.ball_diameter / 2, class: "stopped" }));
    }
    return parts;
  }

  /** Wanted places as rings; where a ball is off by more than it may be, its way and the distance in mm. */
  #drawWanted() {
    const parts = [];
    const radius = this.table.ball_diameter / 2;
    for (const [name, place] of Object.entries(this.wanted ?? {})) {
      const [x, y] = this.at(place);
      const off = this.off[name];
      parts.push(
        s("circle", {
          cx: x,
          cy: y,
          r: radius + 5,
          stroke: colourOf(name),
          class: off?.good ? "want good-place" : "want",
        }),
      );
      const now = this.places[name];
      if (now && off && !off.good) {
        const [nx, ny] = this.at([now.x, now.y]);
        parts.push(s("line", { x1: nx, y1: ny, x2: x, y2: y, class: "way-back" }));
      }
      if (off && !off.good) {
        parts.push(
          s(
            "text",
            { x: x + radius + 14, y: y - radius - 6, class: "distance" },
            off.distance_mm === null || off.distance_mm === undefined
              ? "?"
              : t("mm", { mm: number(off.distance_mm, off.distance_mm < 100 ? 1 : 0) }),
          ),
        );
      }
    }
    this.layers.wanted.replaceChildren(...parts);
  }
}

/** A list of the balls that belong somewhere, with how far off each is. */
export function putBackList(wanted, off, ballPicture) {
  return h(
    "ul",
    { class: "put-back" },
    Object.keys(wanted).map((name) => {
      const ball = off[name];
      const state =
        !ball || ball.distance_mm === null || ball.distance_mm === undefined
          ? t("putback.not_seen")
          : ball.good
            ? t("putback.good")
            : t("mm", { mm: number(ball.distance_mm, 1) });
      return h(
        "li",
        { class: ball?.good ? "good" : "" },
        ballPicture(name),
        h("span", { class: "grow" }, word("balls", name)),
        h("b", null, ball?.good ? `✓ ${state}` : state),
        ball && !ball.good && ball.dx !== null && ball.dx !== undefined
          ? h("small", { class: "faint" }, arrows(ball.dx, ball.dy))
          : null,
      );
    }),
  );
}

/** The way a ball must go, as a player at the baulk end sees it. dx, dy: where it lies less where it belongs. */
function arrows(dx, dy) {
  const part = (value, less, more) =>
    Math.abs(value) < 0.5 ? "" : `${value > 0 ? less : more} ${number(Math.abs(value), 0)}`;
  return [part(dx, "←", "→"), part(dy, "↓", "↑")].filter(Boolean).join("  ");
}
