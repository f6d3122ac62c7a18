// Requests to the server. A refusal is an ApiError with the server's one clear line.

import { h, $ } from "./dom.js";
import { lang, t } from "./words.js";

export class ApiError extends Error {
  constructor(status, message, field) {
    super(message);
    this.status = status;
    this.field = field;
  }
}

export async function request(method, path, body) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      credentials: "same-origin",
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new ApiError(0, t("error.unreachable"));
  }
  const text = await answer.text();
  let data = {};
  try {
    data = text ? JSON.parse(text) : {};
  } catch {
    data = {};
  }
  if (!answer.ok) {
    const known = { 401: t("error.code_needed"), 403: t("error.code_needed"), 429: t("error.too_many") };
    throw new ApiError(
      answer.status,
      known[answer.status] ?? data.text?.[lang()] ?? data.error ?? `${t("error.refused")} (${answer.status})`,
      data.field,
    );
  }
  return data;
}

export const get = (path) => request("GET", path);
export const post = (path, body = {}) => request("POST", path, body);

/** A short message at the foot of the page, read out by screen readers. */
export function toast(text, bad = false) {
  let place = $(".toasts");
  if (!place) {
    place = h("div", { class: "toasts", role: "status", "aria-live": "polite" });
    document.body.append(place);
  }
  const open = $("dialog[open]");
  (open ?? document.body).append(place);
  for (const old of [...place.children]) if (old.textContent === text) old.remove();
  const note = h("div", { class: bad ? "toast bad" : "toast" }, text);
  place.append(note);
  setTimeout(() => note.remove(), bad ? 7000 : 3000);
}

/** Runs an action; what goes wrong is said at the foot of the page. Returns whether it went well. */
export async function attempt(action, done = null) {
  try {
    await action();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    toast(error.message, true);
    return false;
  }
  if (done) toast(done);
  return true;
}
