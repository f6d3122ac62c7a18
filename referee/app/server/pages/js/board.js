// The scoreboard for the wall, and with ?overlay=1 a transparent strip for streaming.

import { ballPicture, onPictures, onWords, sorted } from "./balls.js";
import { ballsOn } from "./sight.js";
import { $, h, section } from "./dom.js";
import { begin, lastCall } from "./frame.js";
import { BY_RACKS, mainScore } from "./scores.js";
import { lang, number, t } from "./words.js";

const overlay = document.documentElement.classList.contains("overlay");
const members = (match, side) => match.teams?.[side] ?? [];
const plays = (match, board, side) => board.player === side || members(match, side).includes(board.player);

function draw(state, page) {
  const board = state?.board;
  document.body.dataset.game = board?.game ?? "";
  if (!board) {
    section($("#sides"), ["none", lang(), page.line.status], () =>
      h(
        "div",
        { class: "nothing" },
        h("p", { class: "big" }, t(page.line.status === "connecting" ? "line.connecting" : "board.no_match")),
        overlay ? null : h("a", { class: "button main", href: "/setup" }, t("menu.new")),
      ),
    );
    section($("#facts"), null, () => []);
    section($("#call"), null, () => []);
    return;
  }
  const match = state.match ?? {};
  const own = state.position?.[board.game] ?? state.verdict?.state?.[board.game] ?? {};
  const names = Object.keys(board.score);
  section($("#sides"), [board, own, match.teams, match.order, lang(), state.position?.balls], () => [
    side(names[0], 0, { board, match, own, state }),
    middle(board, names),
    side(names[1], 1, { board, match, own, state }),
  ]);
  section($("#facts"), [board, state.next, match.phase, lang()], () => facts(board, state));
  const call = lastCall(page);
  section($("#call"), [call, lang()], () => (call ? [call.announce[lang()].join(" · ")] : []));
  const spoken = names.map((each) => `${each} ${mainScore(board, each)}`).join(", ");
  section($("#score-live"), [spoken, lang()], () => spoken);
}

function side(name, place, { board, match, own, state }) {
  const active = plays(match, board, name);
  const people = members(match, name);
  return h(
    "article",
    { class: `side ${place ? "right" : "left"}${active ? " active" : ""}`, "aria-label": name },
    h(
      "h2",
      null,
      active && h("span", { class: "plays", role: "img", "aria-label": t("board.plays") }, ballPicture("cue")),
      h("span", { class: "name" }, name),
    ),
    people.length
      ? h(
          "p",
          { class: "people" },
          people.map((each) => h("span", { class: each === board.player ? "now" : "" }, each)),
        )
      : null,
    h("p", { class: `score digits-${String(mainScore(board, name)).length}` }, number(mainScore(board, name))),
    h("div", { class: "own" }, ownFacts(name, board, own, state)),
  );
}

function middle(board, names) {
  const [a, b] = names.map((each) => board.frames[each]);
  const racks = BY_RACKS.includes(board.game);
  const target = board.frames_to_win;
  return h(
    "div",
    { class: "middle" },
    h("p", { class: "game" }, t(`games.${board.game}`)),
    racks
      ? null
      : h(
          "p",
          { class: "frames", role: "img", "aria-label": t("board.frames_said", { a, b }) },
          h("b", null, a),
          h("span", null, target ? `(${2 * target - 1})` : "–"),
          h("b", null, b),
        ),
    h(
      "p",
      { class: "faint" },
      target
        ? t(racks ? "board.race" : board.game === "snooker" ? "board.best" : "board.best_games", {
            count: racks ? target : 2 * target - 1,
          })
        : t(board.game === "snooker" ? "board.frames" : "board.games"),
    ),
    racks && target ? h("p", { class: "race-short" }, t("board.race_short", { count: target })) : null,
  );
}

/** What a game counts for each side beside its score. */
function ownFacts(name, board, own, state) {
  const parts = [];
  const fouls = own.fouls?.[name];
  if (fouls !== undefined && ["9-ball", "14.1"].includes(board.game)) {
    parts.push(
      h(
        "p",
        { class: "fouls", role: "img", "aria-label": t("board.fouls", { count: fouls }) },
        h("span", { "aria-hidden": "true" }, t("board.fouls_short")),
        [0, 1, 2].map((i) => h("i", { class: i < fouls ? "dot full" : "dot" })),
      ),
    );
  }
  if (board.game === "14.1" && own.target)
    parts.push(h("p", { class: "faint" }, t("board.target", { target: own.target })));
  const group = own.groups?.[name];
  if (board.game === "8-ball") {
    const balls = Array.isArray(state.position?.balls)
      ? state.position.balls
      : Object.keys(state.position?.balls ?? {});
    const left = group ? sorted(ballsOn([group], balls)) : [];
    parts.push(
      group
        ? h(
            "p",
            { class: "group", "aria-label": `${t(`on.${group}`)}: ${left.length}`, role: "img" },
            left.map((each) => ballPicture(each)),
            left.length ? null : ballPicture("8"),
          )
        : h("p", { class: "faint" }, t("board.open_table")),
    );
  }
  if (board.game === "pyramid-combined")
    parts.push(
      h(
        "p",
        { class: "group", "aria-hidden": "true" },
        Array.from({ length: Math.max(0, Math.min(8, board.score[name])) }, () => ballPicture("ball-1")),
      ),
    );
  const need = board.snookers_required?.[name];
  if (need) parts.push(h("p", { class: "need" }, t("board.snookers", { count: need })));
  const best = board.sides?.[name]?.highest_break;
  if (best && board.game !== "9-ball" && board.game !== "8-ball")
    parts.push(h("p", { class: "faint best" }, t("board.high_break", { points: best })));
  return parts;
}

function fact(kind, label, content, spoken = null) {
  return h(
    "div",
    { class: `fact ${kind}` },
    h("span", { class: "label" }, label),
    h("span", { class: "value", role: spoken ? "img" : null, "aria-label": spoken }, content),
  );
}

function facts(board, state) {
  const next = state.next ?? {};
  if (state.verdict?.match?.over || state.match?.phase === "over") {
    const winner = state.verdict?.match?.winner;
    return [fact("wide", t("board.match_over"), winner ?? t("board.drawn"))];
  }
  return [
    fact("player", t("board.to_play"), board.player ?? t("board.open")),
    fact(
      "on",
      t("board.on"),
      onPictures(board.on, next.free_ball),
      onWords(board.on) + (next.free_ball ? `, ${t("on.free_ball")}` : ""),
    ),
    ["snooker", "14.1", "pyramid-combined"].includes(board.game)
      ? fact("break", t(board.game === "snooker" ? "board.break" : "board.run"), number(board.break))
      : null,
    board.points_left === undefined
      ? fact("left", t("board.balls_left"), number(board.balls_left))
      : fact("left", t("board.points_left"), number(board.points_left)),
    next.cue_ball && next.cue_ball !== "as_it_lies"
      ? fact(
          "hand",
          t("board.cue_ball"),
          Array.isArray(next.cue_ball) ? t("cue_ball.placed") : t(`cue_ball.${next.cue_ball}`),
        )
      : null,
    board.open_questions?.length ? fact("asks", t("board.referee"), t("board.decides")) : null,
  ];
}

begin("board", draw);
