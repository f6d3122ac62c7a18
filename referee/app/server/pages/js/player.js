// A stretch of video from one or several segments, with slow motion.

import { button, h } from "./dom.js";
import { seconds, t } from "./words.js";

const SPEEDS = [1, 0.5, 0.25, 0.1];

/** Where the file's own time begins on the match's clock. */
const offset = (segment) => segment?.offset ?? segment?.t0 ?? 0;

/** Plays {segments: [{url, t0, t1}], t0, t1} or {video, t0, t1}; times are those of the match's own clock. */
export class Player {
  #segments = [];
  #at = 0;
  #from = 0;
  #to = 0;

  constructor({ ontime = null } = {}) {
    this.ontime = ontime;
    this.video = h("video", {
      playsinline: true,
      muted: true,
      preload: "auto",
      tabindex: 0,
      "aria-label": t("player.video"),
    });
    this.video.muted = true;
    this.time = h("output", { class: "time" });
    this.bar = h("input", {
      type: "range",
      min: 0,
      max: 1,
      step: 0.001,
      value: 0,
      "aria-label": t("player.position"),
      oninput: () => this.seek(this.#from + Number(this.bar.value)),
    });
    this.play = button("▶", () => this.toggle(), { label: t("player.play"), kind: "main" });
    this.speeds = SPEEDS.map((speed) =>
      button(`${speed}×`, () => this.speed(speed), { pressed: speed === 1, label: t("player.speed", { speed }) }),
    );
    this.problem = h("p", { class: "note bad", hidden: true });
    this.node = h(
      "div",
      { class: "player" },
      this.video,
      this.problem,
      this.bar,
      h(
        "div",
        { class: "row" },
        this.play,
        button("⟲", () => this.seek(this.#from), { label: t("player.start") }),
        h("div", { class: "seg", role: "group", "aria-label": t("player.speeds") }, this.speeds),
        this.time,
      ),
    );
    this.video.addEventListener("timeupdate", () => this.#tick());
    this.video.addEventListener("ended", () => this.#next());
    this.video.addEventListener("play", () => this.#mark());
    this.video.addEventListener("pause", () => this.#mark());
    this.video.addEventListener("error", () => {
      this.problem.hidden = false;
      this.problem.textContent = t("player.cannot");
    });
  }

  load(found) {
    this.#segments = found.segments ?? [{ url: found.video, t0: found.offset ?? 0, t1: found.t1 }];
    this.#from = found.t0;
    this.#to = found.t1;
    this.bar.max = String(Math.max(0.001, this.#to - this.#from));
    this.seek(this.#from, true);
  }

  /** Where it is on the match's clock, s. */
  get t() {
    return offset(this.#segments[this.#at]) + this.video.currentTime;
  }

  seek(time, play = !this.video.paused) {
    const place = Math.max(
      0,
      this.#segments.findLastIndex((each) => each.t0 <= time + 1e-6),
    );
    const segment = this.#segments[place];
    if (!segment) return;
    const go = () => {
      this.video.currentTime = Math.max(0, time - offset(segment));
      if (play) this.video.play().catch(() => {});
    };
    if (this.#at !== place || !this.video.src) {
      this.#at = place;
      this.video.src = segment.url;
      this.video.addEventListener(
        "loadedmetadata",
        () => {
          this.video.playbackRate = this.rate ?? 1;
          go();
        },
        { once: true },
      );
    } else go();
  }

  toggle() {
    if (!this.video.paused) this.video.pause();
    else if (this.t >= this.#to - 0.02) this.seek(this.#from, true);
    else this.video.play().catch(() => {});
  }

  speed(speed) {
    this.rate = speed;
    this.video.playbackRate = speed;
    SPEEDS.forEach((each, i) => this.speeds[i].setAttribute("aria-pressed", String(each === speed)));
  }

  stop() {
    this.video.pause();
    this.video.removeAttribute("src");
    this.video.load();
  }

  #next() {
    const following = this.#segments[this.#at + 1];
    if (following && following.t0 < this.#to) this.seek(following.t0, true);
  }

  #tick() {
    if (this.t >= this.#to && !this.video.paused) this.video.pause();
    this.bar.value = String(this.t - this.#from);
    this.time.textContent = seconds(this.t, 2);
    this.ontime?.(this.t);
  }

  #mark() {
    const label = t(this.video.paused ? "player.play" : "player.pause");
    this.play.firstChild.data = this.video.paused ? "▶" : "❚❚";
    this.play.setAttribute("aria-label", label);
    this.play.title = label;
  }
}
