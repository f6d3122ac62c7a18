// Balls back where they were: the live picture with the wanted places over it, and how far off each ball is.

import { attempt, post } from "./api.js";
import { ballPicture } from "./balls.js";
import { button, h, section } from "./dom.js";
import { putBackList } from "./drawn-table.js";
import { LivePicture } from "./live-picture.js";
import { lang, t, word } from "./words.js";

let picture = null;
const body = h("div", { class: "put-back-body" });
const head = h("div", { class: "stack" });
const card = h("article", { class: "card asks put-back-card" }, head, body);

export function drawPutBack(node, state, live, page) {
  const wanted = state.putback;
  if (!wanted) {
    picture?.stop();
    node.replaceChildren();
    return;
  }
  const camera = Boolean(state.match.camera);
  if (!picture && camera) picture = new LivePicture("wanted");
  if (!card.isConnected) node.replaceChildren(card);
  if (camera && !picture.node.isConnected) card.insertBefore(picture.node, body);
  if (camera) picture.start();
  section(head, [wanted.why, wanted.of, live.good, lang()], () => [
    h(
      "h2",
      null,
      h("span", null, t(`putback.why.${wanted.why}`, { n: wanted.of ?? "" })),
      live.good ? h("span", { class: "tag fair" }, t("putback.all_good")) : null,
    ),
    h("p", { class: "faint" }, t(camera ? "putback.how" : "putback.no_camera")),
  ]);
  section(body, [wanted, live.putback, live.others, lang()], () => [
    putBackList(wanted.wanted, live.putback, ballPicture),
    live.others?.length
      ? h(
          "p",
          { class: "warn" },
          t("putback.others", { balls: live.others.map((each) => word("balls", each)).join(", ") }),
        )
      : null,
    h(
      "div",
      { class: "actions" },
      wanted.why === "spot"
        ? null
        : button(
            t("putback.done"),
            () => attempt(() => post("/api/official", restored(wanted, live)), t("desk.noted")),
            { key: "restored", kind: "main" },
          ),
      wanted.why === "restore"
        ? button(
            t("putback.cannot"),
            () => attempt(() => post("/api/official", { type: "official", kind: "cannot_restore" })),
            { key: "cannot-restore" },
          )
        : null,
      wanted.why === "shot" || wanted.why === "positions"
        ? button(t("putback.leave"), () => attempt(() => post("/api/putback", { n: null, positions: null })), {
            key: "leave",
          })
        : null,
    ),
  ]);
}

/** Balls where the camera sees them now, as far as it sees all of them; else as they were to be put. */
function restored(wanted, live) {
  const seen = live.balls();
  const places = Object.keys(wanted.wanted).map((name) => [name, seen[name]]);
  const all = places.length > 0 && places.every(([, ball]) => ball?.v && ball.x !== null);
  const balls = all ? Object.fromEntries(places.map(([name, ball]) => [name, [ball.x, ball.y]])) : null;
  return { type: "official", kind: "restored", ...(balls ? { balls } : {}) };
}
