// Shots, events with their certainty, calls and what was not seen, over time. The play head is a slider.

import { h, s } from "./dom.js";
import { lang, number, seconds, t } from "./words.js";

const LANES = { shots: 8, events: 44, calls: 84 };
const TONES = {
  strike: "strike",
  contact: "contact",
  cushion: "cushion",
  pocket: "pocket",
  off_table: "alarm",
  moved: "alarm",
  jump: "alarm",
  fell: "pocket",
  returned: "alarm",
  rest: "rest",
  crossed: "rest",
};

export class Timeline {
  constructor(onseek, onshot) {
    this.onseek = onseek;
    this.onshot = onshot;
    this.t0 = 0;
    this.t1 = 1;
    this.at = 0;
    this.width = 1000;
    this.svg = s("svg", { class: "timeline", role: "slider", tabindex: 0 });
    this.head = s("line", { y1: 0, y2: 112, class: "head" });
    this.tip = h("p", { class: "faint tip" });
    this.legend = h("p", { class: "legend faint" });
    this.node = h("div", { class: "timeline-box" }, this.svg, this.tip, this.legend);
    new ResizeObserver(() => {
      this.width = this.svg.clientWidth || 1000;
      if (this.data) this.show(this.data, this.shot);
    }).observe(this.svg);
    this.svg.addEventListener("pointerdown", (event) => {
      this.svg.setPointerCapture(event.pointerId);
      this.#pointed(event);
    });
    this.svg.addEventListener("pointermove", (event) => {
      if (this.svg.hasPointerCapture(event.pointerId)) this.#pointed(event);
    });
    this.svg.addEventListener("keydown", (event) => {
      const way = { ArrowLeft: -1, ArrowRight: 1, PageDown: -10, PageUp: 10 }[event.key];
      if (event.key === "Home") this.onseek(this.t0);
      else if (event.key === "End") this.onseek(this.t1);
      else if (way) this.onseek(this.at + (way * (this.t1 - this.t0)) / 200);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  #pointed(event) {
    const box = this.svg.getBoundingClientRect();
    this.onseek(this.t0 + ((event.clientX - box.left) / box.width) * (this.t1 - this.t0));
  }

  #x(time) {
    return ((time - this.t0) / Math.max(1e-6, this.t1 - this.t0)) * this.width;
  }

  /** data: {t0, t1, shots, events, gaps, calls}; shot: the number of the one that is looked at. */
  show(data, shot) {
    [this.data, this.shot] = [data, shot];
    [this.t0, this.t1] = [data.t0, Math.max(data.t1, data.t0 + 0.1)];
    const parts = [];
    for (const gap of data.gaps ?? [])
      parts.push(
        s(
          "rect",
          {
            x: this.#x(gap.t0),
            y: 0,
            width: Math.max(2, this.#x(gap.t1) - this.#x(gap.t0)),
            height: 112,
            class: "gap",
          },
          s("title", null, t("review.unseen")),
        ),
      );
    for (const each of data.shots ?? []) {
      const x = this.#x(each.t0);
      const width = Math.max(6, this.#x(each.t1) - x);
      const block = s(
        "g",
        { class: `shot-block ${each.tone}${each.n === shot ? " current" : ""}` },
        s("rect", { x, y: LANES.shots, width, height: 26, rx: 4 }),
        width > 20 ? s("text", { x: x + 6, y: LANES.shots + 18 }, String(each.n)) : null,
        s("title", null, t("desk.shot", { n: each.n })),
      );
      block.addEventListener("dblclick", () => this.onshot(each.n));
      parts.push(block);
    }
    for (const each of data.events ?? []) parts.push(this.#event(each));
    for (const each of data.calls ?? [])
      parts.push(
        s(
          "path",
          { d: `M${this.#x(each.t)} ${LANES.calls}v24m0 -24h10l-3 5l3 5h-10`, class: "call-flag" },
          s("title", null, (each.announce?.[lang()] ?? []).join(". ")),
        ),
      );
    this.svg.replaceChildren(...parts, this.head);
    this.legend.replaceChildren(
      ...["strike", "contact", "cushion", "pocket", "alarm"].map((each) =>
        h("span", { class: `key ${each}` }, t(`review.legend.${each}`)),
      ),
      h("span", { class: "key unseen" }, t("review.unseen")),
    );
    this.events = data.events ?? [];
    this.svg.setAttribute("aria-label", t("review.timeline"));
    this.move(this.at);
  }

  #event(each) {
    const x = this.#x(each.t);
    const sigma = Math.max(1, (this.#x(each.t + (each.t_sigma ?? 0)) - x) * 3);
    const confidence = each.confidence ?? 1;
    return s(
      "g",
      { class: `event ${TONES[each.kind] ?? "rest"}`, opacity: 0.35 + 0.65 * confidence },
      s("title", null, `${seconds(each.t, 3)} ${each.text?.[lang()] ?? each.kind} (${number(confidence * 100)} %)`),
      s("rect", { x: x - sigma, y: LANES.events + 12, width: 2 * sigma, height: 8, class: "sigma" }),
      s("line", { x1: x, x2: x, y1: LANES.events, y2: LANES.events + 32 }),
      confidence < 0.9 ? s("circle", { cx: x, cy: LANES.events - 3, r: 3, class: "doubt" }) : null,
    );
  }

  move(time) {
    this.at = time;
    const x = this.#x(time);
    this.head.setAttribute("x1", x);
    this.head.setAttribute("x2", x);
    this.svg.setAttribute("aria-valuemin", this.t0.toFixed(2));
    this.svg.setAttribute("aria-valuemax", this.t1.toFixed(2));
    this.svg.setAttribute("aria-valuenow", time.toFixed(2));
    this.svg.setAttribute("aria-valuetext", seconds(time, 2));
    const near = (this.events ?? [])
      .filter((each) => Math.abs(each.t - time) < 0.06)
      .map((each) => each.text?.[lang()] ?? each.kind);
    this.tip.textContent = near.length ? near.join(" · ") : " ";
  }
}
