// The table view: the drawn table as large as the screen allows, with what is on, what is hidden and what is left.

import { ballPicture, onPictures } from "./balls.js";
import { $, button, h, section } from "./dom.js";
import { DrawnTable, putBackList } from "./drawn-table.js";
import { begin, lastCall } from "./frame.js";
import { Sighting } from "./sighting.js";
import { lang, number, t } from "./words.js";

const drawn = new DrawnTable($("#drawn"));
let sizes = "";
let putback = {};
let sighting = null;

/** Where the balls lie by the log, where the camera doesn't show them. */
function placesByLog(state) {
  const balls = state.position?.balls ?? {};
  return Array.isArray(balls) ? {} : balls;
}

function draw(state, page) {
  if (!state?.match || !state.table) {
    section($("#side"), ["none", lang(), page.line.status], () =>
      h(
        "div",
        { class: "card" },
        h("p", null, t(page.line.status === "connecting" ? "line.connecting" : "board.no_match")),
        h("a", { class: "button main", href: "/setup" }, t("menu.new")),
      ),
    );
    return;
  }
  if (JSON.stringify(state.table) !== sizes) {
    sizes = JSON.stringify(state.table);
    drawn.setTable(state.table);
  }
  drawn.on = state.board?.on ?? [];
  drawn.freeBall = Boolean(state.next?.free_ball);
  drawn.wanted = state.putback?.wanted ?? null;
  drawn.off = drawn.wanted ? putback : {};
  if (!sighting?.balls) drawn.setBalls(placesByLog(state));
  else if (!sighting.fresh) drawn.fade();
  else drawn.draw();
  section(
    $("#side"),
    [
      state.board,
      state.next,
      state.putback,
      putback,
      lastCall(page)?.id,
      drawn.show,
      state.source?.status,
      Boolean(sighting?.balls),
      sighting?.fresh,
      lang(),
    ],
    () => beside(state, page),
  );
}

function beside(state, page) {
  const board = state.board ?? {};
  const call = lastCall(page);
  return [
    h(
      "section",
      { class: "card", "aria-label": t("board.title") },
      h(
        "table",
        { class: "scores" },
        Object.keys(board.score ?? {}).map((side) =>
          h(
            "tr",
            { class: board.player === side || state.match.teams?.[side]?.includes(board.player) ? "active" : "" },
            h("th", { scope: "row" }, side),
            h("td", { class: "faint" }, number(board.frames[side])),
            h("td", { class: "num" }, number(board.score[side])),
          ),
        ),
      ),
      h(
        "dl",
        { class: "facts" },
        h("div", null, h("dt", null, t("board.on")), h("dd", null, onPictures(board.on, state.next?.free_ball))),
        board.points_left === undefined
          ? h("div", null, h("dt", null, t("board.balls_left")), h("dd", null, number(board.balls_left ?? 0)))
          : h("div", null, h("dt", null, t("board.points_left")), h("dd", null, number(board.points_left))),
        h("div", null, h("dt", null, t("board.break")), h("dd", null, number(board.break ?? 0))),
      ),
      call ? h("p", { class: "said" }, call.announce[lang()].join(" · ")) : null,
    ),
    state.putback?.wanted
      ? h(
          "section",
          { class: "card" },
          h("h2", null, t("putback.title")),
          putBackList(state.putback.wanted, putback, ballPicture),
        )
      : null,
    h(
      "section",
      { class: "card", "aria-label": t("table.shows") },
      h(
        "div",
        { class: "row" },
        ["lines", "trails", "names"].map((each) =>
          button(t(`table.${each}`), () => toggle(each, page), { key: each, pressed: drawn.show[each] }),
        ),
      ),
      sighting?.fresh ? null : h("p", { class: "faint" }, t(sighting?.balls ? "table.not_now" : "table.no_camera")),
    ),
  ];
}

function toggle(each, page) {
  drawn.show = { ...drawn.show, [each]: !drawn.show[each] };
  drawn.draw();
  page.redraw();
}

const page = await begin("table", draw);
sighting = new Sighting(page.line, (balls) => drawn.live(balls), page.redraw);
page.line.addEventListener("putback", ({ detail }) => {
  putback = detail.balls ?? {};
  page.redraw();
});
page.keys.add("i", "table.lines", () => toggle("lines", page));
page.keys.add("t", "table.trails", () => toggle("trails", page));
page.keys.add("n", "table.names", () => toggle("names", page));
