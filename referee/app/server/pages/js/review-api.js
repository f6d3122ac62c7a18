// The reviews of the server: analysed folders and matches. One object a review; nothing is changed without a preview.

import { get, post, request } from "./api.js";

const path = (id) => `/api/review/${encodeURIComponent(id)}`;
const span = (t0, t1) => `t0=${t0.toFixed(6)}&t1=${t1.toFixed(6)}`;

/** {reviews, total}: clips, then the newest matches. */
export const reviews = () => get("/api/review");
export const allItems = async () => (await get("/api/review/items")).items ?? [];

export class Review {
  constructor(id) {
    this.id = id;
    this.base = path(id);
  }

  state = async () => {
    const state = await get(`${this.base}/state`);
    this.game = state.game;
    return state;
  };
  shots = async () => (await get(`${this.base}/shots`)).shots ?? [];
  items = async () => (await get(`${this.base}/items`)).items ?? [];
  shot = (n) => get(`${this.base}/shots/${n}`);
  timeline = (t0, t1) => get(`${this.base}/timeline?${span(t0, t1)}`);
  tracks = (t0, t1) => get(`${this.base}/tracks?${span(t0, t1)}`);
  frames = (t0, t1) => get(`${this.base}/frames?${span(t0, t1)}`);
  frameUrl = (t, draw) => `${this.base}/frame.jpg?t=${t.toFixed(6)}&draw=${draw}`;

  /** What a change would do: {revision, differences, refused}. */
  preview = (what, body) => post(`${this.base}/${what}`, { ...body, preview: true });
  /** The change itself, on top of what the preview was made from; something accepted meanwhile makes it fail. */
  accept = (what, body, preview) =>
    post(`${this.base}/${what}`, { ...body, preview: false, revision: preview.revision });
  measure = (body) => post(`${this.base}/measure`, body);
  export = (body) => post(`${this.base}/export`, body);
  /** The share of what is being written that is done; null where nothing is. */
  exported = async () => (await get(`${this.base}/export`)).done;
  callOff = () => request("DELETE", `${this.base}/export`);

  /** For the record editor. */
  get editing() {
    return {
      game: this.game,
      load: async (n) => (await this.shot(n)).record,
      preview: (n, record) => this.preview("correct", { n, record }),
      accept: (n, record, preview) => this.accept("correct", { n, record }, preview),
    };
  }
}
