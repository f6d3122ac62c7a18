// What the referee is asked, what may be chosen, the last verdict with its clauses, and the shots so far.

import { attempt, get, post } from "./api.js";
import { ballPicture } from "./balls.js";
import { button, h, section } from "./dom.js";
import { miss } from "./desk-fouls.js";
import { drawLines } from "./desk-later.js";
import { hasMiss } from "./games.js";
import { dialog } from "./keys.js";
import { pickBallFrom } from "./picking.js";
import { Player } from "./player.js";
import { editShot } from "./record-editor.js";
import { lang, number, t, word } from "./words.js";

const mine = (text) => text?.[lang()] ?? text?.en ?? "";

export function drawQuestions(node, state, page) {
  section(node, [state.questions, lang()], () =>
    (state.questions ?? []).map((question) =>
      h(
        "article",
        { class: "card asks" },
        h(
          "h2",
          null,
          h("span", null, t("desk.question", { n: question.n })),
          h("span", { class: "clause" }, question.clause),
        ),
        h("p", { class: "large" }, (mine(question.text) || question.question).replace(` (${question.clause})`, "")),
        h(
          "div",
          { class: "row" },
          (question.choices ?? []).map((choice) =>
            button([picture(choice.value), capital(mine(choice))], () => answer(question, choice.value), {
              key: `answer-${question.n}-${question.question}-${question.ball ?? ""}-${JSON.stringify(choice.value)}`,
              kind: "main",
            }),
          ),
          button(t("desk.look_again"), () => replay(question.n), { key: `look-${question.n}`, kind: "plain" }),
          question.choices?.length
            ? null
            : button(t("desk.correct"), () => editShot(question.n, page), { key: `fix-${question.n}`, kind: "main" }),
        ),
      ),
    ),
  );
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const BALL = /^(cue|red|yellow|green|brown|blue|pink|black|solid|stripe|ball|\d+)(-\d+)?$/;
const picture = (value) => (typeof value === "string" && BALL.test(value) ? ballPicture(value) : null);

const answer = (question, value) =>
  attempt(
    () =>
      post("/api/answer", {
        n: question.n,
        question: question.question,
        value,
        ...(question.ball ? { ball: question.ball } : {}),
      }),
    t("desk.answered"),
  );

export function drawChoices(node, state, page) {
  section(node, [state.options, lang()], () => {
    if (!state.options?.length) return null;
    const players = [...new Set(state.options.map((each) => each.player))];
    return players.map((player) =>
      h(
        "article",
        { class: "card asks" },
        h("h2", null, t("desk.chooses", { player })),
        h(
          "div",
          { class: "choices" },
          state.options.filter((each) => each.player === player).map((option) => choice(option, state, page)),
        ),
      ),
    );
  });
}

function choice(option, state, page) {
  const go = (ball = null) =>
    attempt(
      () =>
        post("/api/official", {
          type: "official",
          kind: "choose",
          player: option.player,
          option: option.id,
          after: page.line.seq,
          ...(ball ? { ball } : {}),
        }),
      t("desk.chosen"),
    );
  const pick = () => {
    if (option.id !== "take_ball") return go();
    const names =
      Object.keys(state.position?.balls ?? {}).length && !Array.isArray(state.position.balls)
        ? Object.keys(state.position.balls)
        : (state.position?.balls ?? []);
    return pickBallFrom(
      t("desk.which_ball"),
      names.filter((name) => name !== "cue"),
      go,
    );
  };
  return button([h("span", null, t(`options.${option.id}`)), h("span", { class: "clause" }, option.clause)], pick, {
    key: `option-${option.id}-${option.player}`,
    kind: "main choice",
  });
}

/** Takes the last line back, unless somebody entered another one meanwhile. */
export const undo = (page) => attempt(() => post("/api/undo", { after: page.line.seq }), t("desk.undone"));

/** What must never be farther than one touch: it stays at the foot of the screen. */
export function drawQuick(node, state, page) {
  const last = state.shots?.at(-1)?.n;
  section(node, [state.undo, last, state.board.game, lang()], () => [
    button(t("desk.undo"), () => undo(page), {
      key: "undo",
      disabled: !state.undo,
      small: state.undo ? undoText(state.undo) : null,
      kind: "two",
    }),
    button(t("desk.replay"), () => replay(null), { key: "replay", disabled: !last }),
    button(t("desk.overrule"), () => editShot(last, page), { key: "overrule", disabled: !last }),
    hasMiss(state.board.game)
      ? button(t("observed.miss"), () => miss(page), { key: "miss", kind: "stop", disabled: !last })
      : null,
  ]);
}

export function drawVerdict(node, state) {
  const verdict = state.verdict;
  section(node, [verdict, !state.shots?.length, state.undo?.kind, lang()], () => {
    if (!verdict || (verdict.n === null && !state.shots?.length))
      return [h("h2", null, t("desk.verdict")), h("p", { class: "empty" }, t("desk.no_shot"))];
    return [
      h("h2", null, h("span", null, state.undo ? capital(undoText(state.undo)) : t("desk.verdict")), legality(verdict)),
      ...verdictBody(verdict),
    ];
  });
}

const undoText = (undo) => (undo.kind === "shot" ? t("desk.shot", { n: undo.n }) : t(`lines_kind.${undo.kind}`));

/** Whether it was a foul, as a tag; nothing where no stroke was judged and nothing is asked. */
export function legality(verdict) {
  if (verdict.legal === null && !verdict.undecided?.length) return null;
  const kind = verdict.legal === null ? "open" : verdict.legal ? "fair" : "foul";
  return h("span", { class: `tag ${kind}` }, t(`verdict.${kind}`));
}

/** Fouls with their clauses, points, what was potted, what is spotted, what is said. */
export function verdictBody(verdict) {
  const gained = Object.entries(verdict.points ?? {}).filter(([, points]) => points);
  const spot = Object.keys(verdict.spot ?? {});
  const restore = Object.keys(verdict.restore ?? {});
  return [
    mine(verdict.announce).length ? h("p", { class: "large" }, mine(verdict.announce).join(". ")) : null,
    verdict.fouls?.length
      ? h(
          "ul",
          { class: "fouls" },
          verdict.fouls.map((foul) =>
            h(
              "li",
              null,
              h("span", { class: "clause" }, foul.clause),
              h("span", null, reason(foul.what)),
              foul.value ? h("b", null, number(foul.value)) : null,
            ),
          ),
        )
      : null,
    gained.length
      ? h(
          "p",
          null,
          gained.map(([side, points]) =>
            h("span", { class: "chip" }, `${side} ${points > 0 ? "+" : "−"}${number(Math.abs(points))}`),
          ),
          verdict.potted?.length
            ? h(
                "span",
                { class: "chip" },
                verdict.potted.map((ball) => ballPicture(ball, { label: word("balls", ball) })),
              )
            : null,
        )
      : null,
    spot.length
      ? h(
          "p",
          { class: "list" },
          h("span", { class: "faint" }, t("desk.to_spot")),
          spot.map((ball) => h("span", { class: "chip" }, ballPicture(ball), word("balls", ball))),
        )
      : null,
    restore.length
      ? h(
          "p",
          { class: "list" },
          h("span", { class: "faint" }, t("desk.to_restore")),
          h("span", { class: "chip" }, number(restore.length)),
        )
      : null,
    verdict.rack ? h("p", { class: "list" }, h("span", { class: "faint" }, t(`rack.${verdict.rack}`))) : null,
    verdict.undecided?.length
      ? h("p", { class: "warn" }, t("desk.undecided", { count: verdict.undecided.length }))
      : null,
  ];
}

/** The reason of a foul in the page's language; its ball stays a ball. */
export function reason(what) {
  const [text, ball] = String(what).split(/: (?=[^:]*$)/);
  const known = t(`reasons.${text}`);
  const words = known === `reasons.${text}` ? text : known;
  return ball ? `${words}: ${word("balls", ball)}` : words;
}

export function drawShots(node, state, page) {
  section(node, [state.shots, lang(), page.line.role], () => [
    h("h2", null, t("desk.shots"), h("a", { class: "button plain", href: "/review" }, t("nav.review"))),
    state.shots?.length
      ? h(
          "ol",
          { class: "shot-list" },
          [...state.shots]
            .reverse()
            .slice(0, 12)
            .map((shot) =>
              h(
                "li",
                null,
                h(
                  "button",
                  {
                    type: "button",
                    class: "shot",
                    "data-key": `shot-${shot.n}`,
                    onclick: () => showShot(shot.n, page),
                  },
                  h("span", {
                    class: `dot ${shot.undecided?.length ? "open" : shot.legal === false ? "foul" : shot.legal ? "fair" : "none"}`,
                    role: "img",
                    "aria-label": t(
                      `verdict.${shot.undecided?.length ? "open" : shot.legal === false ? "foul" : "fair"}`,
                    ),
                  }),
                  h("b", null, number(shot.n)),
                  h("span", { class: "grow" }, mine(shot.text) || t("verdict.nothing_said")),
                  shot.corrected || shot.overruled
                    ? h("span", { class: "chip" }, t(shot.overruled ? "desk.overruled" : "desk.corrected"))
                    : null,
                ),
              ),
            ),
        )
      : h("p", { class: "empty" }, t("desk.no_shot")),
  ]);
}

async function showShot(n, page) {
  await attempt(async () => {
    const shot = await get(`/api/shots/${n}`);
    const verdict = shot.verdict ?? shot.verdicts?.at(-1);
    const node = dialog(
      t("desk.shot", { n }),
      [
        h("p", null, legality(verdict)),
        verdictBody(verdict),
        (shot.clauses ?? []).length
          ? h(
              "div",
              { class: "clauses" },
              shot.clauses.map((clause) =>
                h(
                  "details",
                  null,
                  h("summary", null, clause.id),
                  h("p", null, mine(clause.rule)),
                  clause.consequence ? h("p", { class: "faint" }, mine(clause.consequence)) : null,
                ),
              ),
            )
          : null,
        page.line.role === "referee" ? drawLines(shot, page, () => node.close()) : null,
      ],
      [
        button(t("desk.replay"), () => {
          node.close();
          replay(n);
        }),
        button(t("putback.from_here"), () => {
          node.close();
          attempt(() => post("/api/putback", { n }));
        }),
        button(
          t("desk.correct"),
          () => {
            node.close();
            editShot(n, page);
          },
          { kind: "main" },
        ),
      ],
    );
  });
}

/** The last shot, or shot n, with the seconds before it. */
export async function replay(n) {
  await attempt(async () => {
    const found = await get(`/api/replay?n=${n ?? "last"}`);
    const player = new Player();
    const node = dialog(t("desk.replay_of", { n: found.n ?? n ?? "" }), player.node, [], {
      wide: true,
      onclose: () => player.stop(),
    });
    node.classList.add("wide");
    player.load(found);
  });
}
