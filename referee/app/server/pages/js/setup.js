// Setting up a match: what is played, by whom, by which rules; then the table is confirmed and play begins.

import { attempt, get, post } from "./api.js";
import { ballPicture } from "./balls.js";
import { drawCalibration } from "./calibrate.js";
import { $, button, h, section } from "./dom.js";
import { begin } from "./frame.js";
import { rulesCard } from "./setup-rules.js";
import { LANGUAGES, lang, t } from "./words.js";

const BALLS = { snooker: "red", "8-ball": "8", "9-ball": "9", 14.1: "14", "pyramid-combined": "ball-1" };
const TARGET_GAMES = ["14.1"];
const asked = new URLSearchParams(location.search);

let games = null;
const form = {
  game: "snooker",
  rules: "seed",
  doubles: false,
  names: ["", ""],
  partners: [
    ["", ""],
    ["", ""],
  ],
  frames: "",
  target: "150",
  table: "",
  measured: { length: "", width: "", ball_diameter: "" },
  language: null,
  nominations: "inferred",
  slow: "",
  starts: 0,
  options: {},
};

function draw(state, page) {
  const calibrating =
    state?.match?.camera && (state.match.phase === "calibrating" || asked.get("step") === "calibration");
  section($("#steps"), [calibrating, lang()], () =>
    ["setup.step_match", "setup.step_table", "setup.step_play"].map((each, i) =>
      h("li", { "aria-current": (calibrating ? 1 : 0) === i ? "step" : null }, h("b", null, i + 1), t(each)),
    ),
  );
  $("#form").hidden = Boolean(calibrating);
  $("#calibrate").hidden = !calibrating;
  drawCalibration($("#calibrate"), calibrating ? state : null, page);
  if (!calibrating)
    section(
      $("#form"),
      [
        games?.games.map((each) => each.id),
        form.game,
        form.rules,
        form.doubles,
        form.table,
        form.starts,
        form.nominations,
        form.language,
        form.options,
        page.line.role,
        state?.match?.id,
        lang(),
      ],
      () => (games ? fields(state, page) : h("p", { class: "empty" }, t("line.connecting"))),
    );
}

const game = () => games.games.find((each) => each.id === form.game);

function fields(state, page) {
  form.language ??= lang();
  const change = (name, value) => {
    form[name] = value;
    page.redraw();
  };
  return [
    state?.match && state.match.phase !== "over" ? h("p", { class: "note" }, t("setup.running")) : null,
    page.line.role === "referee" ? null : h("p", { class: "note bad" }, t("error.code_needed")),
    h(
      "section",
      { class: "card" },
      h("h2", null, t("setup.game")),
      h(
        "div",
        { class: "games", role: "radiogroup", "aria-label": t("setup.game") },
        games.games.map((each) =>
          h(
            "label",
            { class: "game" },
            h("input", {
              type: "radio",
              name: "game",
              value: each.id,
              "data-key": `game-${each.id}`,
              checked: each.id === form.game,
              onchange: () => {
                form.table = "";
                form.rules = "seed";
                form.options = {};
                change("game", each.id);
              },
            }),
            ballPicture(BALLS[each.id] ?? "cue"),
            h("b", null, t(`games.${each.id}`)),
          ),
        ),
      ),
    ),
    h(
      "section",
      { class: "card" },
      h(
        "h2",
        null,
        t("setup.players"),
        h(
          "label",
          { class: "check" },
          h("input", {
            type: "checkbox",
            "data-key": "doubles",
            checked: form.doubles,
            onchange: (event) => change("doubles", event.target.checked),
          }),
          t("setup.doubles"),
        ),
      ),
      h(
        "div",
        { class: "pair-of" },
        [0, 1].map((i) => sideFields(i)),
      ),
      starts(change),
    ),
    h(
      "section",
      { class: "card" },
      h("h2", null, t("setup.match")),
      h(
        "div",
        { class: "grid" },
        text("frames", t(form.game === "snooker" ? "setup.frames_to_win" : "setup.racks_to_win"), {
          type: "number",
          min: 1,
          max: 200,
          inputmode: "numeric",
          placeholder: t("setup.open_end"),
        }),
        TARGET_GAMES.includes(form.game)
          ? text("target", t("setup.target"), { type: "number", min: 1, max: 1000, inputmode: "numeric" })
          : null,
        tableField(change),
        select(
          "language",
          t("setup.language"),
          LANGUAGES.map((each) => [each, t(`languages.${each}`)]),
          change,
        ),
        text("slow", t("setup.slow"), {
          type: "number",
          min: 5,
          max: 3600,
          inputmode: "numeric",
          placeholder: t("setup.never"),
        }),
      ),
      form.table === "measured"
        ? h(
            "div",
            { class: "grid" },
            ["length", "width", "ball_diameter"].map((each) =>
              h(
                "label",
                { class: "field" },
                h("span", null, t(`setup.${each}`)),
                h("input", {
                  type: "number",
                  step: 0.1,
                  min: 20,
                  max: 10000,
                  required: true,
                  value: form.measured[each],
                  oninput: (event) => {
                    form.measured[each] = event.target.value;
                  },
                }),
              ),
            ),
          )
        : null,
      h(
        "fieldset",
        null,
        h("legend", null, t("setup.nominations")),
        ["inferred", "required"].map((each) =>
          h(
            "label",
            { class: "check" },
            h("input", {
              type: "radio",
              name: "nominations",
              value: each,
              "data-key": `nominations-${each}`,
              checked: form.nominations === each,
              onchange: () => change("nominations", each),
            }),
            t(`setup.${each}`),
          ),
        ),
      ),
    ),
    rulesCard(form, game(), change, page),
    h(
      "div",
      { class: "row end" },
      h("p", { id: "problem", class: "note bad", role: "alert", hidden: true }),
      h(
        "button",
        { class: "button main start", type: "submit", "data-key": "start", disabled: page.line.role !== "referee" },
        t("setup.start"),
      ),
    ),
  ];
}

function sideFields(i) {
  const name = (get_, set, label, key) =>
    h(
      "label",
      { class: "field" },
      h("span", null, label),
      h("input", {
        type: "text",
        maxlength: 60,
        required: true,
        autocomplete: "off",
        "data-key": key,
        value: get_(),
        oninput: (event) => set(event.target.value),
      }),
    );
  return h(
    "div",
    { class: "stack" },
    name(
      () => form.names[i],
      (value) => {
        form.names[i] = value;
      },
      t(form.doubles ? "setup.team" : "setup.player", { n: i + 1 }),
      `name-${i}`,
    ),
    form.doubles
      ? [0, 1].map((j) =>
          name(
            () => form.partners[i][j],
            (value) => {
              form.partners[i][j] = value;
            },
            t("setup.player", { n: j + 1 }),
            `partner-${i}-${j}`,
          ),
        )
      : null,
  );
}

const starts = (change) =>
  h(
    "fieldset",
    null,
    h("legend", null, t("setup.starts")),
    h(
      "div",
      { class: "seg" },
      [0, 1].map((i) =>
        button(t(form.doubles ? "setup.team" : "setup.player", { n: i + 1 }), () => change("starts", i), {
          key: `starts-${i}`,
          pressed: form.starts === i,
        }),
      ),
    ),
  );

const text = (name, label, attributes) =>
  h(
    "label",
    { class: "field" },
    h("span", null, label),
    h("input", {
      ...attributes,
      "data-key": name,
      value: form[name],
      oninput: (event) => {
        form[name] = event.target.value;
      },
    }),
  );

const select = (name, label, values, change) =>
  h(
    "label",
    { class: "field" },
    h("span", null, label),
    h(
      "select",
      { "data-key": name, onchange: (event) => change(name, event.target.value) },
      values.map(([value, shown]) => h("option", { value, selected: form[name] === value }, shown)),
    ),
  );

function tableField(change) {
  const values = [...game().tables, "measured"].map((each) => [each, t(`tables.${each}`)]);
  if (!form.table) form.table = game().table;
  return select("table", t("setup.table"), values, change);
}

/** The body of the request; a text where something is lacking. */
function body() {
  const names = form.names.map((each) => each.trim());
  const out = { game: form.game, rules: form.rules, lang: form.language, nominations: form.nominations };
  if (form.doubles) {
    const partners = form.partners.map((each) => each.map((person) => person.trim()));
    if (new Set([...names, ...partners.flat()]).size !== 6) return t("setup.different");
    out.teams = Object.fromEntries(names.map((name, i) => [name, partners[i]]));
    out.striker = partners[form.starts][0];
  } else {
    if (names[0] === names[1]) return t("setup.different");
    out.players = names;
    out.striker = names[form.starts];
  }
  if (form.frames) out.frames_to_win = Number(form.frames);
  if (form.slow) out.slow_play_s = Number(form.slow);
  if (Object.keys(form.options).length) out.options = form.options;
  out.table =
    form.table === "measured"
      ? Object.fromEntries(Object.entries(form.measured).map(([name, value]) => [name, Number(value)]))
      : form.table;
  if (TARGET_GAMES.includes(form.game) && form.target) out.state = { [form.game]: { target: Number(form.target) } };
  return out;
}

$("#form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const wanted = body();
  const problem = $("#problem");
  problem.hidden = typeof wanted !== "string";
  if (typeof wanted === "string") {
    problem.textContent = wanted;
    return;
  }
  await attempt(async () => {
    await post("/api/matches", wanted);
    const { state } = await get("/api/state");
    if (state?.match?.phase === "calibrating") page.redraw();
    else location.assign("/desk");
  });
});

const page = await begin("setup", draw);
await attempt(async () => {
  games = await get("/api/games");
  page.redraw();
});
