// Beside the picture: the verdict with its clauses and proof, its questions, corrections with what they change, exports.

import { attempt } from "./api.js";
import { dialog } from "./keys.js";
import { ballPicture, sorted } from "./balls.js";
import { button, h, section } from "./dom.js";
import { legality, verdictBody } from "./desk-now.js";
import { propose } from "./proposing.js";
import { insertShot } from "./review-insert.js";
import { measure, offer } from "./review-measure.js";
import { askOpening } from "./review-opening.js";
import { editShot, seenWords } from "./record-editor.js";
import { lang, number, seconds, t, word } from "./words.js";

const mine = (text) => text?.[lang()] ?? text?.en ?? "";

/** The record editor on this review; afterwards everything is read anew. */
function correct({ review, refresh }, n) {
  const accept = async (...all) => {
    await review.editing.accept(...all);
    refresh();
  };
  return editShot(n, null, { ...review.editing, accept });
}

export function drawShot(node, found, view) {
  section(node, [found, view.role, lang()], () => {
    if (!found) return [h("h2", null, t("desk.verdict")), h("p", { class: "empty" }, t("review.pick"))];
    const { review, refresh } = view;
    const { record } = found;
    const opened = (what, body, title, close) =>
      propose(review, what, body, title, () => {
        close();
        refresh();
      });
    const verdict = found.verdicts?.at(-1) ?? found.verdict;
    if (!verdict)
      return [h("h2", null, t("desk.shot", { n: record.n })), h("p", { class: "note bad" }, t("review.not_judged"))];
    return [
      h("h2", null, h("span", null, t("desk.shot", { n: record.n })), legality(verdict)),
      verdictBody(verdict),
      verdict.assumed?.length
        ? h(
            "div",
            { class: "note" },
            h("b", null, t("review.assumed")),
            ` ${(found.assumed ?? verdict.assumed).map((each) => mine(each) || each).join("; ")} `,
            button(t("review.opening"), () => askOpening(review, opened), { key: "opening" }),
          )
        : null,
      record.nominated && Object.keys(record.nominated).length
        ? h(
            "p",
            { class: "faint" },
            `${t("editor.nominated")} ${[record.nominated.ball && word("balls", record.nominated.ball), record.nominated.pocket && word("pockets", record.nominated.pocket), record.nominated.safety && t("desk.safety"), record.nominated.push_out && t("desk.push_out")].filter(Boolean).join(", ")}`,
          )
        : null,
      record.observed?.length
        ? h(
            "p",
            { class: "list" },
            record.observed.map((each) => h("span", { class: "chip" }, seenWords(each))),
          )
        : null,
      found.original ? h("p", { class: "note" }, t("review.was_corrected")) : null,
      h(
        "div",
        { class: "actions" },
        button(t("desk.correct"), () => correct(view, record.n), { key: "correct", kind: "main" }),
        button(
          t("observed.not_a_stroke"),
          () => propose(review, "correct", { n: record.n, not_a_stroke: true }, t("observed.not_a_stroke"), refresh),
          { key: "not-a-stroke" },
        ),
        button(t("review.insert"), () => insertShot(view), { key: "insert", kind: "plain" }),
      ),
    ];
  });
}

export function drawProof(node, found, view) {
  section(node, [found?.proof, found?.clauses, found?.record?.events, lang()], () => {
    if (!found?.record) return [];
    const clauses = found.clauses ?? [];
    return [
      h("h2", null, t("review.proof")),
      found.proof?.length
        ? h(
            "div",
            { class: "proof" },
            found.proof.map((each, i) =>
              h(
                "button",
                {
                  type: "button",
                  class: each.decides ? "button two decides" : "button two",
                  "data-key": `proof-${i}`,
                  onclick: () => view.seek(each.t),
                },
                h("span", null, mine(each.text) || t(`events.${each.what}`)),
                each.decides ? h("span", { class: "sr" }, t("review.decides")) : null,
                h(
                  "small",
                  null,
                  `${seconds(each.t, 3)} ± ${number((each.t_sigma ?? 0) * 1000)} ${t("ms")} · ${number((each.confidence ?? 1) * 100)} %`,
                ),
              ),
            ),
          )
        : h("p", { class: "empty" }, t("review.no_proof")),
      clauses.length
        ? h(
            "div",
            null,
            clauses.map((clause) =>
              h(
                "details",
                null,
                h("summary", { "data-key": `clause-${clause.id}` }, h("span", { class: "clause" }, clause.id)),
                h("p", null, mine(clause.rule)),
                clause.consequence ? h("p", { class: "faint" }, mine(clause.consequence)) : null,
              ),
            ),
          )
        : null,
      h(
        "details",
        null,
        h("summary", { "data-key": "all-events" }, t("review.events", { count: found.record.events.length })),
        h(
          "table",
          { class: "plain" },
          found.record.events.map((event, i) =>
            h(
              "tr",
              null,
              h(
                "td",
                null,
                h(
                  "button",
                  {
                    type: "button",
                    class: "button plain",
                    "data-key": `event-${i}`,
                    onclick: () => view.seek(event.t),
                  },
                  seconds(event.t, 3),
                ),
              ),
              h("td", null, eventWords(event)),
              h("td", { class: "num faint" }, `${number((event.confidence ?? 1) * 100)} %`),
            ),
          ),
        ),
      ),
    ];
  });
}

export function eventWords(event) {
  const balls = event.balls ?? [event.ball, event.over].filter(Boolean);
  const place =
    (event.pocket && word("pockets", event.pocket)) ||
    (event.cushion && word("cushions", event.cushion)) ||
    (event.line && word("lines", event.line)) ||
    "";
  return [
    balls.map((each) => ballPicture(each, { label: word("balls", each) })),
    ` ${t(`events.${event.kind}`)}${place ? `: ${place}` : ""}`,
  ];
}

export function drawAsks(node, questions, view) {
  section(node, [questions, view.role, lang()], () =>
    (questions ?? []).map((each) =>
      h(
        "article",
        { class: "card asks" },
        h("h2", null, h("span", null, t("desk.question", { n: each.n })), h("span", { class: "clause" }, each.clause)),
        h(
          "p",
          { class: "large" },
          mine(each.text).replace(` (${each.clause})`, "") || word("questions", each.question),
        ),
        h(
          "div",
          { class: "row" },
          (each.choices ?? []).map((choice) =>
            button(
              capital(mine(choice)),
              () =>
                propose(
                  view.review,
                  "answer",
                  {
                    n: each.n,
                    question: each.question,
                    value: choice.value,
                    ...(each.ball ? { ball: each.ball } : {}),
                  },
                  t("review.answering", { answer: mine(choice) }),
                  view.refresh,
                ),
              {
                key: `answer-${each.n}-${each.question}-${each.ball ?? ""}-${JSON.stringify(choice.value)}`,
                kind: "main",
              },
            ),
          ),
          each.choices?.length
            ? null
            : button(t("desk.correct"), () => correct(view, each.n), {
                key: `fix-${each.n}-${each.question}-${each.ball ?? ""}`,
                kind: "main",
              }),
          button(t("review.go_there"), () => view.select(each.n), {
            key: `go-${each.n}-${each.question}`,
            kind: "plain",
          }),
        ),
      ),
    ),
  );
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** What is being made, with how far it has come and a way to call it off. */
async function watched(review, body) {
  const bar = h("progress", { max: 1, value: 0, "aria-label": t("review.making") });
  const share = h("b", { class: "num", role: "status" }, "0 %");
  let over = false;
  const node = dialog(
    t("review.making"),
    h("div", { class: "row" }, bar, share),
    [button(t("review.call_off"), () => review.callOff(), { key: "call-off" })],
    { onclose: () => over || review.callOff() },
  );
  const look = async () => {
    while (!over) {
      await new Promise((done) => setTimeout(done, EVERY_MS));
      const done = over ? null : await review.exported().catch(() => null);
      if (done === null) continue;
      bar.value = done;
      share.textContent = `${number(done * 100)} %`;
    }
  };
  look();
  try {
    return await review.export(body);
  } finally {
    over = true;
    node.close();
  }
}

const EVERY_MS = 400;

export function drawExports(node, found, view) {
  section(node, [found?.record?.n, view.state?.corrections, view.measuring.on, lang()], () => {
    const n = found?.record?.n ?? null;
    const make = (body) => attempt(async () => offer(await watched(view.review, body)));
    return [
      h("h2", null, t("review.exports")),
      h(
        "div",
        { class: "actions" },
        button(t("review.clip"), () => make({ kind: "clip", n, lang: lang() }), { key: "clip", disabled: n === null }),
        button(t("review.subtitles"), () => make({ kind: "subtitles", format: "vtt", lang: lang() }), {
          key: "subtitles",
        }),
        button(t("review.measure"), () => measure(view, found), { key: "measure" }),
        button(t("review.measure_picture"), () => view.measuring.toggle(), {
          key: "measure-picture",
          pressed: view.measuring.on,
        }),
      ),
      view.state?.corrections?.length
        ? h(
            "details",
            null,
            h(
              "summary",
              { "data-key": "corrections" },
              t("review.corrections", { count: view.state.corrections.length }),
            ),
            h(
              "ul",
              { class: "matches" },
              view.state.corrections.map((each) =>
                h(
                  "li",
                  null,
                  h("span", { class: "grow" }, mine(each.what)),
                  each.undone
                    ? h("span", { class: "chip" }, t("desk.undone"))
                    : button(
                        t("desk.take_back"),
                        () => propose(view.review, "undo", { line: each.line }, t("desk.undo"), view.refresh),
                        { key: `undo-${each.line}` },
                      ),
                ),
              ),
            ),
          )
        : null,
    ];
  });
}
