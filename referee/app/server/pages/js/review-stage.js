// The picture of a review: video while it plays, the exact frame from the server while it stands.

import { button, h, section } from "./dom.js";
import { lang, seconds, t } from "./words.js";

const SPEEDS = [1, 0.5, 0.25, 0.1];
const EPSILON_S = 0.0005;
/** So many seconds of frame times are asked for around a place. */
export const AROUND_S = 12;

/** Where the file's own time begins on the match's clock. */
const offset = (segment) => segment.offset ?? segment.t0;

export class Stage {
  #review = null;
  #segments = [];
  #pictures = false;
  #segment = -1;
  #times = [];
  #speed = 1;
  #stepping = null;
  #asked = "";
  #begin = 0;
  #end = 0;
  #loading = null;

  constructor(ontime) {
    this.ontime = ontime;
    this.t = 0;
    this.draw = "balls";
    this.playing = false;
    this.video = h("video", { playsinline: true, preload: "auto", tabindex: -1, "aria-hidden": "true" });
    this.video.muted = true;
    this.image = h("img", { alt: "", decoding: "async", hidden: true });
    this.problem = h("p", { class: "note", hidden: true });
    this.view = h("div", { class: "stage" }, this.video, this.image, this.problem);
    this.controls = h("div", { class: "controls" });
    this.readout = h("output", { class: "readout" });
    this.video.addEventListener("timeupdate", () => this.#tick());
    this.video.addEventListener("ended", () => this.#nextSegment());
    this.video.addEventListener("error", () => {
      if (!this.video.getAttribute("src")) return;
      this.#segments = [];
      if (this.playing) this.#playFrames();
    });
    this.image.addEventListener("error", () => {
      this.view.classList.remove("loading");
      this.#say(t("review.no_picture"));
    });
    this.image.addEventListener("load", () => {
      this.view.classList.remove("loading");
      this.#say(null);
    });
  }

  /** Draws the controls where they changed, in the language that holds now. */
  labels() {
    this.image.alt = t("review.picture");
    section(this.controls, [this.playing, this.#speed, this.draw, lang()], () => [
      h(
        "div",
        { class: "row" },
        button("−10", () => this.step(-10), { key: "back-10", label: t("review.frames", { count: -10 }) }),
        button("−1", () => this.step(-1), { key: "back-1", label: t("review.frames", { count: -1 }) }),
        button(this.playing ? "❚❚" : "▶", () => this.toggle(), {
          key: "play",
          kind: "main",
          label: t(this.playing ? "player.pause" : "player.play"),
        }),
        button("+1", () => this.step(1), { key: "on-1", label: t("review.frames", { count: 1 }) }),
        button("+10", () => this.step(10), { key: "on-10", label: t("review.frames", { count: 10 }) }),
      ),
      h(
        "div",
        { class: "seg", role: "group", "aria-label": t("player.speeds") },
        SPEEDS.map((speed) =>
          button(`${speed}×`, () => this.speed(speed), {
            key: `speed-${speed}`,
            pressed: speed === this.#speed,
            label: t("player.speed", { speed }),
          }),
        ),
      ),
      h(
        "div",
        { class: "seg", role: "group", "aria-label": t("review.drawn") },
        ["none", "balls", "all"].map((each) =>
          button(t(`review.draw.${each}`), () => this.setDraw(each), {
            key: `draw-${each}`,
            pressed: this.draw === each,
          }),
        ),
      ),
      this.readout,
    ]);
  }

  /** Nothing is shown of it before a time is sought. */
  open(review, state) {
    this.pause();
    this.#review = review;
    this.#segments = state.video?.ok && state.video.playable !== false ? (state.video.segments ?? []) : [];
    this.#pictures = Boolean(state.video?.ok);
    this.#segment = -1;
    this.#times = [];
    [this.#begin, this.#end] = [state.t0 ?? 0, state.t1 ?? 0];
    this.#asked = "";
    this.video.removeAttribute("src");
    this.view.classList.toggle("loading", this.#pictures);
    this.#say(state.video?.ok ? null : (state.video?.text?.[lang()] ?? t("review.no_video")));
  }

  /** More video has come; what is shown stays. */
  extend(state) {
    this.#end = Math.max(this.#end, state.t1 ?? 0);
    if (state.video?.ok && state.video.playable !== false && this.#segments.length)
      this.#segments = state.video.segments ?? [];
  }

  /** Shows the frame of this time: the last one that is not later. */
  async seek(time, { keep = false } = {}) {
    if (!keep) this.pause();
    this.t = Math.min(Math.max(time, this.#begin), Math.max(this.#begin, this.#end));
    await this.#know(this.t);
    this.#still();
  }

  /** The times of the frames around, so that every step is to a frame that exists. */
  async #know(time) {
    const first = this.#times[0];
    const last = this.#times.at(-1);
    const inside =
      this.#times.length &&
      time >= first &&
      time <= last &&
      (time - first > 2 || first <= this.#begin + 0.1) &&
      (last - time > 2 || last >= this.#end - 0.1);
    if (inside || !this.#review) return;
    const [t0, t1] = [Math.max(this.#begin, time - AROUND_S), Math.min(this.#end, time + AROUND_S)];
    this.#loading = this.#review.frames(t0, t1).then(
      ({ times }) => {
        this.#times = times ?? [];
      },
      () => {
        this.#times = [];
      },
    );
    await this.#loading;
  }

  get #index() {
    return this.#times.findLastIndex((each) => each <= this.t + EPSILON_S);
  }

  async step(count) {
    this.pause();
    await this.#know(this.t);
    const place = Math.min(Math.max(0, this.#index + count), this.#times.length - 1);
    if (this.#times.length) this.t = this.#times[place];
    else this.t = Math.min(Math.max(this.#begin, this.t + count * 0.04), this.#end);
    this.#still();
    await this.#know(this.t);
  }

  #still() {
    const place = this.#index;
    if (place >= 0) this.t = this.#times[place];
    const url = this.#review?.frameUrl(this.t, this.draw);
    if (this.#pictures && url && url !== this.#asked) {
      this.#asked = url;
      this.view.classList.add("loading");
      this.image.src = url;
    }
    this.image.hidden = !this.#pictures;
    this.video.hidden = true;
    this.#show();
  }

  #show() {
    this.readout.replaceChildren(h("b", null, seconds(this.t, 3)));
    this.ontime?.(this.t);
  }

  setDraw(each) {
    this.draw = each;
    this.labels();
    if (!this.playing) this.#still();
  }

  speed(speed) {
    this.#speed = speed;
    this.video.playbackRate = speed;
    this.labels();
  }

  toggle() {
    if (this.playing) this.pause(true);
    else this.play();
  }

  play() {
    if (this.t >= this.#end - 0.03) this.t = this.#begin;
    this.playing = true;
    this.labels();
    const place = this.#segments.findLastIndex((each) => each.t0 <= this.t + EPSILON_S);
    if (place < 0) this.#playFrames();
    else this.#playSegment(place);
  }

  #playSegment(place) {
    const segment = this.#segments[place];
    const go = () => {
      this.video.currentTime = Math.max(0, this.t - offset(segment));
      this.video.playbackRate = this.#speed;
      this.video.hidden = false;
      this.image.hidden = true;
      this.video.play().catch(() => {
        if (this.playing) this.#playFrames();
      });
    };
    if (this.#segment === place) return go();
    this.#segment = place;
    this.video.addEventListener("loadeddata", go, { once: true });
    this.video.src = segment.url;
    return undefined;
  }

  /** Where the browser can't play the video, the frames come one by one, each as long as it lasted. */
  async #playFrames() {
    clearTimeout(this.#stepping);
    await this.#know(this.t);
    const place = this.#index;
    if (!this.playing || place < 0 || place + 1 >= this.#times.length) return this.pause();
    const wait = ((this.#times[place + 1] - this.#times[place]) * 1000) / this.#speed;
    this.t = this.#times[place + 1];
    this.#still();
    this.#stepping = setTimeout(() => this.#playFrames(), wait);
    return undefined;
  }

  pause(still = false) {
    if (!this.playing) return;
    this.playing = false;
    clearTimeout(this.#stepping);
    this.video.pause();
    this.labels();
    if (still) this.#know(this.t).then(() => this.#still());
  }

  #tick() {
    if (!this.playing || this.#segment < 0) return;
    this.t = offset(this.#segments[this.#segment]) + this.video.currentTime;
    this.#show();
  }

  #nextSegment() {
    const following = this.#segments[this.#segment + 1];
    if (!following) return this.pause(true);
    this.t = following.t0;
    return this.#playSegment(this.#segment + 1);
  }

  #say(text) {
    this.problem.hidden = !text;
    this.problem.textContent = text ?? "";
  }
}
