// The first page: the running match, those that are kept, who is here, and the referee's code.

import { ApiError, attempt, get, post, request, toast } from "./api.js";
import { ballPicture } from "./balls.js";
import { $, button, h, section } from "./dom.js";
import { begin } from "./frame.js";
import { confirmed } from "./keys.js";
import { lang, number, t, when } from "./words.js";
import { mainScore } from "./scores.js";

const DOORS = [
  ["board", "/board", "cue"],
  ["table", "/table", "green"],
  ["desk", "/desk", "blue"],
  ["review", "/review", "black"],
  ["statistics", "/statistics", "pink"],
];
let found = { matches: [], total: 0, asked: null };
let session = { role: "viewer", code_needed: null };

function draw(state, page) {
  section($("#running"), [state?.match, state?.board, page.line.status, page.line.role, lang()], () =>
    running(state, page),
  );
  section($("#doors"), lang(), () => [
    ...DOORS.map(([name, path, ball]) =>
      h(
        "a",
        { class: "door", href: path },
        ballPicture(ball),
        h("b", null, t(`nav.${name}`)),
        h("span", { class: "faint" }, t(`menu.door.${name}`)),
      ),
    ),
    h(
      "a",
      { class: "door", href: "/board?overlay=1" },
      ballPicture("yellow"),
      h("b", null, t("menu.overlay")),
      h("span", { class: "faint" }, t("menu.door.overlay")),
    ),
  ]);
  section($("#who"), [session, page.line.role, lang()], () => who(page));
  section($("#kept"), [found, state?.match?.id, page.line.role, lang()], () => kept(state, page));
}

const names = (match) =>
  match.teams && Object.keys(match.teams).length
    ? Object.entries(match.teams).map(([side, people]) => `${side} (${people.join(", ")})`)
    : (match.players ?? []);

function running(state, page) {
  if (!state?.match) {
    return [
      h("h1", null, t("menu.title")),
      h("p", { class: "faint" }, t(page.line.status === "connecting" ? "line.connecting" : "menu.none_running")),
      h("div", { class: "row" }, h("a", { class: "button main", href: "/setup" }, t("menu.new"))),
    ];
  }
  const board = state.board;
  const sides = Object.keys(board.score);
  return [
    h(
      "h1",
      { class: "pair" },
      h("span", null, sides[0]),
      h("b", null, `${number(mainScore(board, sides[0]))} : ${number(mainScore(board, sides[1]))}`),
      h("span", null, sides[1]),
    ),
    h(
      "p",
      { class: "faint" },
      [
        t(`games.${board.game}`),
        t(`menu.phase.${state.match.phase}`),
        t("board.frames_said", { a: board.frames[sides[0]], b: board.frames[sides[1]] }),
      ].join(" · "),
    ),
    h(
      "div",
      { class: "row" },
      h(
        "a",
        { class: "button main", href: state.match.phase === "calibrating" ? "/setup" : "/desk" },
        t(state.match.phase === "calibrating" ? "menu.confirm_table" : "menu.go_on"),
      ),
      h("a", { class: "button", href: "/setup" }, t("menu.new")),
      button(
        t("desk.end"),
        async () =>
          (await confirmed(t("desk.end_sure"), t("desk.end"))) &&
          (await attempt(() => post("/api/match/end"))) &&
          search(page),
        { key: "end", kind: "plain" },
      ),
    ),
  ];
}

function who(page) {
  const referee = page.line.role === "referee";
  const code = h("input", {
    id: "code",
    "data-key": "code",
    "data-typed": true,
    type: "password",
    autocomplete: "current-password",
    required: true,
    maxlength: 200,
    placeholder: t("menu.code_hint"),
  });
  const problem = h("p", { class: "note bad", role: "alert", hidden: true });
  const enter = async (event) => {
    event.preventDefault();
    try {
      await post("/api/session", { code: code.value });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      problem.hidden = false;
      problem.textContent = error.status === 401 ? t("menu.wrong_code") : error.message;
      code.value = "";
      code.focus();
      return;
    }
    toast(t("menu.is_referee"));
    await ask(page);
    page.line.renew();
  };
  const leave = () =>
    attempt(async () => {
      await request("DELETE", "/api/session");
      await ask(page);
      page.line.renew();
    });
  return [
    h("h2", null, t("menu.who"), h("span", { class: "chip" }, t(referee ? "menu.referee" : "menu.viewer"))),
    referee
      ? h(
          "div",
          { class: "row" },
          h(
            "p",
            { class: "grow faint" },
            session.code_needed === null ? "" : t(session.code_needed ? "menu.may_change" : "menu.no_code"),
          ),
          session.code_needed ? button(t("menu.leave"), leave, { key: "leave" }) : null,
        )
      : h(
          "form",
          { class: "code", onsubmit: enter },
          h("label", { class: "field grow" }, h("span", null, t("menu.code")), code),
          h("button", { class: "button main" }, t("menu.enter")),
          problem,
        ),
  ];
}

function kept(state, page) {
  const others = found.matches.filter((each) => each.id !== state?.match?.id);
  return [
    h("h2", null, t("menu.kept"), h("small", null, found.asked ? t("menu.found", { count: others.length }) : "")),
    h(
      "label",
      { class: "field" },
      h("span", null, t("menu.search")),
      h("input", {
        type: "search",
        "data-key": "search",
        "data-typed": true,
        value: found.asked ?? "",
        oninput: (event) => later(event.target.value, page),
      }),
    ),
    others.length
      ? h(
          "ul",
          { class: "matches" },
          others.map((match) =>
            h(
              "li",
              null,
              h(
                "div",
                { class: "grow" },
                h("b", null, names(match).join(" – ")),
                h(
                  "p",
                  { class: "faint" },
                  [t(`games.${match.game}`), when(match.started ?? match.at), result(match)]
                    .filter(Boolean)
                    .join(" · "),
                ),
              ),
              h(
                "a",
                { class: "button plain", href: `/statistics?match=${encodeURIComponent(match.id)}` },
                t("nav.statistics"),
              ),
              h("a", { class: "button plain", href: `/review?id=${encodeURIComponent(match.id)}` }, t("nav.review")),
              button(t("menu.resume"), () => resume(match), { key: `resume-${match.id}` }),
            ),
          ),
        )
      : h("p", { class: "empty" }, t(found.asked ? "menu.nothing_found" : "menu.none_kept")),
  ];
}

function result(match) {
  const frames = match.frames && Object.values(match.frames);
  const score = match.score && Object.values(match.score);
  return [frames?.length ? frames.join(":") : null, score?.length ? `(${score.join(":")})` : null]
    .filter(Boolean)
    .join(" ");
}

async function resume(match) {
  if (await attempt(() => post(`/api/matches/${encodeURIComponent(match.id)}/resume`))) location.assign("/desk");
}

let waiting = null;
function later(text, page) {
  clearTimeout(waiting);
  waiting = setTimeout(() => search(page, text), 200);
}

async function search(page, text = found.asked ?? "") {
  await attempt(async () => {
    const answer = await get(`/api/matches?limit=50${text ? `&q=${encodeURIComponent(text.slice(0, 200))}` : ""}`);
    found = { ...answer, asked: text || null };
    page.redraw();
    if (text && document.activeElement === document.body) $("[data-key=search]")?.focus();
  });
}

async function ask(page) {
  session = await get("/api/session").catch(() => session);
  page.redraw();
}

const page = await begin("menu", draw);
page.keys.add("n", "menu.new", () => location.assign("/setup"));
page.keys.add("/", "menu.search", () => $("[data-key=search]")?.focus());
await Promise.all([ask(page), search(page)]);
page.line.addEventListener("hello", () => ask(page));
