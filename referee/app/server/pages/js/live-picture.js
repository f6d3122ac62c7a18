// The live picture, fetched again as soon as the last one has come; never an old one for a new one.

import { h } from "./dom.js";
import { t } from "./words.js";

const LEAST_MS = 120;
const AGAIN_MS = 1500;

export class LivePicture {
  #running = false;
  #timer = null;

  constructor(draw, onsize = null) {
    this.draw = draw;
    this.image = h("img", { alt: t("picture.live"), decoding: "async" });
    this.problem = h("p", { class: "note", hidden: true }, t("picture.none"));
    this.node = h("div", { class: "live-picture" }, this.image, this.problem);
    this.image.addEventListener("load", () => onsize?.(this.image.naturalWidth, this.image.naturalHeight));
  }

  start() {
    if (this.#running) return;
    this.#running = true;
    this.#next();
  }

  stop() {
    this.#running = false;
    clearTimeout(this.#timer);
    this.image.removeAttribute("src");
  }

  #later(ms) {
    clearTimeout(this.#timer);
    if (this.#running) this.#timer = setTimeout(() => this.#next(), ms);
  }

  async #next() {
    if (document.hidden || !this.image.isConnected) return this.#later(AGAIN_MS);
    const url = await picture(`/api/picture.jpg?draw=${this.draw}`);
    if (!this.#running) return undefined;
    this.problem.hidden = url !== null;
    this.image.hidden = url === null;
    if (url === null) return this.#later(AGAIN_MS);
    const old = this.image.src;
    this.image.addEventListener("load", () => old.startsWith("blob:") && URL.revokeObjectURL(old), { once: true });
    this.image.src = url;
    return this.#later(LEAST_MS);
  }
}

/** A picture as it is now, never from a cache; null where there is none. */
async function picture(path) {
  try {
    const answer = await fetch(path, { cache: "no-store" });
    return answer.ok ? URL.createObjectURL(await answer.blob()) : null;
  } catch {
    return null;
  }
}
