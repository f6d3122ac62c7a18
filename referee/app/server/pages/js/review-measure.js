// Distances in the picture that is shown: between what was touched in it, or between balls, spots and lines by name.

import { attempt } from "./api.js";
import { sorted } from "./balls.js";
import { button, h, s } from "./dom.js";
import { dialog } from "./keys.js";
import { lang, number, t, word } from "./words.js";

const mine = (text) => text?.[lang()] ?? text?.en ?? "";
const inWords = (answer) =>
  [
    ...answer.distances.map((each) => mine(each.text) || t("mm", { mm: number(each.distance_mm, 1) })),
    ...(answer.nearer ? [mine(answer.nearer.text)] : []),
  ].join(" · ");

/** A file that was made, to be saved. */
export function offer(file) {
  const link = h(
    "a",
    { class: "button main", href: file.url, download: file.name },
    t("review.save", { name: file.name }),
  );
  dialog(t("review.made"), link);
}

/** Two balls touched in the picture: how far they are apart. */
export class PictureMeasuring {
  #places = [];

  constructor(view, stage) {
    this.view = view;
    this.stage = stage;
    this.on = false;
    this.marks = s("svg", { class: "measure-marks", "aria-hidden": "true" });
    this.said = h("div", { class: "measured", role: "status" });
    stage.view.append(this.marks, this.said);
    stage.view.addEventListener("click", (event) => this.#touched(event));
  }

  toggle() {
    this.on = !this.on;
    this.clear();
    this.stage.view.classList.toggle("measuring", this.on);
    if (this.on) {
      this.stage.pause(true);
      this.said.replaceChildren(t("review.touch_two"));
    }
    this.view.redraw();
  }

  /** The picture is another one now. */
  clear() {
    this.#places = [];
    this.marks.replaceChildren();
    this.said.replaceChildren();
  }

  #touched(event) {
    const image = this.stage.image;
    if (!this.on || image.hidden || !image.naturalWidth) return;
    const box = this.stage.view.getBoundingClientRect();
    const scale = Math.min(box.width / image.naturalWidth, box.height / image.naturalHeight);
    const left = (box.width - image.naturalWidth * scale) / 2;
    const top = (box.height - image.naturalHeight * scale) / 2;
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const px = [(x - left) / scale, (y - top) / scale];
    if (px[0] < 0 || px[1] < 0 || px[0] > image.naturalWidth || px[1] > image.naturalHeight) return;
    if (this.#places.length === 2) this.clear();
    this.#places.push({ px: px.map((each) => Math.round(each * 10) / 10), as_ball: true });
    this.marks.append(s("circle", { cx: x, cy: y, r: 9 }));
    if (this.#places.length === 2) this.#measure();
  }

  async #measure() {
    const [a, b] = this.#places;
    const body = { t: this.stage.t, a, b };
    await attempt(async () => {
      const answer = await this.view.review.measure(body);
      const make = () =>
        attempt(async () => offer(await this.view.review.export({ kind: "picture", lang: lang(), measure: body })));
      this.said.replaceChildren(
        h("b", null, inWords(answer)),
        button(t("review.picture_of_it"), make, { key: "picture-of-it" }),
      );
    });
  }
}

/** The distance between two balls, or of a ball from a line or spot, in the picture that is shown. */
export function measure(view, found) {
  const time = view.time();
  const balls = sorted(new Set([...Object.keys(view.balls()), ...Object.keys(found?.record?.before ?? {})]));
  const spots = Object.keys(view.state?.table?.spots ?? {});
  const values = [
    ...balls.map((ball) => [{ ball }, word("balls", ball)]),
    ...(found
      ? balls.map((ball) => [
          { ball, shot: found.record.n, when: "before" },
          t("review.before", { ball: word("balls", ball) }),
        ])
      : []),
    ...spots.map((spot) => [{ spot }, t(`points.${spot}`)]),
    ...["bottom", "top", "left", "right"].map((line) => [
      { line },
      `${t("editor.cushion")}: ${word("cushions", line)}`,
    ]),
    [
      { line: view.state?.table?.baulk_line_y ? "baulk_line" : "head_string" },
      word("lines", view.state?.table?.baulk_line_y ? "baulk_line" : "head_string"),
    ],
  ];
  const pick = (label, start, none = null) =>
    h(
      "label",
      { class: "field grow" },
      h("span", null, label),
      h(
        "select",
        null,
        none ? h("option", { value: -1, selected: true }, none) : null,
        values.map(([value, text], i) => h("option", { value: i, selected: i === start }, text)),
      ),
    );
  const [from, to, other] = [
    pick(t("review.from"), 0),
    pick(t("review.to"), 1),
    pick(t("review.or_to"), -1, t("review.or_to_none")),
  ];
  const result = h("p", { class: "large", role: "status" });
  const body = () => ({
    t: time,
    a: values[from.querySelector("select").value][0],
    b: values[to.querySelector("select").value][0],
    c: values[other.querySelector("select").value]?.[0] ?? null,
  });
  dialog(
    t("review.measure"),
    [
      h("p", { class: "faint" }, t("review.at_frame", { t: number(time, 3) })),
      h("div", { class: "row" }, from, to, other),
      result,
    ],
    [
      button(
        t("review.measure_now"),
        () =>
          attempt(async () => {
            const answer = await view.review.measure(body());
            result.textContent = inWords(answer);
          }),
        { kind: "main" },
      ),
      button(
        t("review.picture_of_it"),
        () => attempt(async () => offer(await view.review.export({ kind: "picture", lang: lang(), measure: body() }))),
        {},
      ),
    ],
  );
}
