// What is declared between strokes: concede, warn, award, the order of play, undo and the running of the match.

import { attempt, post } from "./api.js";
import { button, h, section } from "./dom.js";
import { people, pickPlayer } from "./picking.js";
import { confirmed, dialog } from "./keys.js";
import { warnings } from "./games.js";
import { LANGUAGES, lang, number, t } from "./words.js";

const official = (line, done = null) => attempt(() => post("/api/official", { type: "official", ...line }), done);

export function drawOfficials(node, state, page) {
  section(
    node,
    [
      state.board.game,
      state.board.score,
      state.board.player,
      state.next?.cue_ball,
      state.match.phase,
      state.settings,
      state.verdict?.frame,
      sourceText(state.source),
      lang(),
      page.line.role,
    ],
    () => {
      const sides = Object.keys(state.board.score);
      return [
        h("h2", null, t("desk.match")),
        state.match.camera && state.source
          ? h("p", { class: "faint" }, `${t("desk.camera")}: ${sourceText(state.source)}`)
          : null,
        h(
          "div",
          { class: "actions" },
          button(t("desk.warn"), () => warn(state), { key: "warn" }),
          button(t("desk.concede"), () => pickPlayer(t("desk.who_concedes"), state, (player) => concede(player)), {
            key: "concede",
          }),
          button(t("desk.not_called"), () => official({ kind: "not_called" }, t("desk.noted")), { key: "not-called" }),
          state.board.game === "snooker"
            ? null
            : button(t("desk.rack"), () => official({ kind: "rack" }, t("desk.noted")), { key: "rack" }),
          button(t("desk.starts"), () => opening(state, sides), { key: "toss" }),
          state.board.game === "snooker"
            ? button(
                t("desk.difference"),
                () => official({ kind: "ask", player: state.board.player ?? sides[0], about: "difference" }),
                { key: "difference" },
              )
            : null,
          typeof state.next?.cue_ball === "string" && state.next.cue_ball !== "as_it_lies"
            ? button(
                t("desk.placement"),
                () => official({ kind: "ask", player: state.board.player ?? sides[0], about: "placement" }),
                { key: "placement" },
              )
            : null,
          state.match.teams ? button(t("desk.order"), () => order(state), { key: "order" }) : null,
        ),
        h(
          "details",
          null,
          h("summary", { "data-key": "more" }, t("desk.more")),
          h(
            "div",
            { class: "actions" },
            button(t("desk.redo"), () => attempt(() => post("/api/undo", { redo: true })), { key: "redo" }),
            button(t("desk.award"), () => award(state), { key: "award", kind: "stop" }),
            button(
              t("desk.void"),
              async () => (await confirmed(t("desk.void_sure"), t("desk.void"))) && official({ kind: "void" }),
              { key: "void", kind: "stop" },
            ),
            button(
              t("desk.disqualify"),
              () =>
                pickPlayer(
                  t("desk.disqualify"),
                  state,
                  async (player) =>
                    (await confirmed(t("desk.disqualify_sure", { player }), t("desk.disqualify"))) &&
                    official({ kind: "disqualify", player }),
                ),
              { key: "disqualify", kind: "stop" },
            ),
            button(
              t("desk.end"),
              async () =>
                (await confirmed(t("desk.end_sure"), t("desk.end"))) &&
                (await attempt(() => post("/api/match/end"))) &&
                location.assign("/"),
              { key: "end", kind: "stop" },
            ),
          ),
          h(
            "label",
            { class: "field" },
            h("span", null, t("desk.calls_language")),
            h(
              "select",
              {
                "data-key": "calls-language",
                onchange: (event) => attempt(() => post("/api/setting", { name: "lang", value: event.target.value })),
              },
              LANGUAGES.map((each) =>
                h("option", { value: each, selected: each === state.match.lang }, t(`languages.${each}`)),
              ),
            ),
          ),
        ),
      ];
    },
  );
}

/** Who opens: in snooker by the toss, in the other games by the lag. */
function opening(state, sides) {
  const kind = state.board.game === "snooker" ? "toss" : "lag";
  pickPlayer(t(`desk.who_won.${kind}`), state, (winner) => official({ kind, winner }, t("desk.noted")), sides);
}

async function concede(player) {
  if (await confirmed(t("desk.concede_sure", { player }), t("desk.concede"))) official({ kind: "concede", player });
}

function warn(state) {
  const about = warnings(state.board.game);
  const node = dialog(
    t("desk.warn"),
    people(state).map((player) =>
      h(
        "fieldset",
        null,
        h("legend", null, player),
        h(
          "div",
          { class: "row" },
          about.map((each) =>
            button(t(`warn.${each}`), () => {
              node.close();
              official({ kind: "warn", player, about: each }, t("desk.noted"));
            }),
          ),
        ),
      ),
    ),
  );
}

function award(state) {
  const reason = h("input", { type: "text", maxlength: 120, required: true, id: "award-for" });
  const node = dialog(t("desk.award"), [
    h("label", { class: "field" }, h("span", null, t("desk.award_for")), reason),
    h(
      "div",
      { class: "choices" },
      Object.keys(state.board.score).map((side) =>
        button(
          t("desk.award_to", { side }),
          () => {
            if (!reason.reportValidity()) return;
            node.close();
            official({ kind: "award", to: side, for: reason.value.trim() });
          },
          { kind: "main" },
        ),
      ),
    ),
  ]);
}

/** The order of play in this frame, by touching the players in turn. */
function order(state) {
  const chosen = [];
  const list = h("ol", { class: "order" });
  const show = () =>
    list.replaceChildren(
      ...people(state).map((player) =>
        button(
          chosen.includes(player) ? `${chosen.indexOf(player) + 1}. ${player}` : player,
          () => {
            if (chosen.includes(player)) chosen.splice(chosen.indexOf(player), 1);
            else chosen.push(player);
            show();
            if (chosen.length === people(state).length) {
              node.close();
              official({ kind: "order", players: chosen }, t("desk.noted"));
            }
          },
          { pressed: chosen.includes(player) },
        ),
      ),
    );
  const node = dialog(t("desk.order_how"), list);
  show();
}

/** How the camera does: pictures a second, time from the light to the call, pictures left out. */
function sourceText(source) {
  if (!source) return "";
  const parts = [t(`source.${source.status}`)];
  if (source.fps) parts.push(t("source.fps", { fps: number(source.fps) }));
  const delay = source.latency?.p95 ?? null;
  if (delay !== null) parts.push(t("source.delay", { ms: number(delay * 1000) }));
  if (source.dropped) parts.push(t("source.dropped", { count: number(source.dropped) }));
  return parts.join(" · ");
}
