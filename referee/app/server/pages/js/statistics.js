// Statistics of a match or of a player: breaks, pots by distance and angle, safety, time, heat maps; drawn.

import { attempt, get } from "./api.js";
import { drawBed, pocketPlace, POCKETS, RAIL_MM } from "./bed.js";
import { $, h, s, section } from "./dom.js";
import { begin } from "./frame.js";
import { lang, number, t, when } from "./words.js";

const asked = new URLSearchParams(location.search);
const view = { matches: [], games: null, match: asked.get("match"), player: asked.get("player"), found: null };
const HEAT = ["cue_ball", "pots_from"];

function draw(state, page) {
  section($("#who"), [view.matches.map((each) => each.id), view.match, view.player, state?.match?.id, lang()], () =>
    chooser(state),
  );
  section($("#figures"), [view.found, state?.table?.name, lang()], () => {
    if (!view.found)
      return h("p", { class: "empty" }, t(page.line.status === "connecting" ? "line.connecting" : "statistics.none"));
    return Object.entries(view.found.players).map(([name, figures]) => person(name, figures, table(state)));
  });
}

/** The table on which it was played, as far as it is known: for drawing only. */
function table(state) {
  const id = view.match ?? state?.match?.id;
  if (state?.table && (!id || id === state.match?.id)) return state.table;
  const game =
    view.matches.find((each) => each.id === id)?.game ??
    view.matches.find((each) => people(each).includes(view.player))?.game;
  const known = view.games?.games.find((each) => each.id === game);
  return view.games?.tables[known?.table] ?? null;
}

const people = (match) => [...(match.players ?? []), ...Object.values(match.teams ?? {}).flat()];

function chooser(state) {
  const title = (match) =>
    `${(match.players ?? Object.keys(match.teams ?? {})).join(" – ")} · ${t(`games.${match.game}`)} · ${when(match.started)}`;
  const names = [...new Set(view.matches.flatMap(people))].sort();
  return [
    h("h1", null, t("nav.statistics")),
    h(
      "div",
      { class: "pair-of" },
      h(
        "label",
        { class: "field" },
        h("span", null, t("statistics.match")),
        h(
          "select",
          { "data-key": "match", onchange: (event) => load({ match: event.target.value || null, player: null }) },
          h(
            "option",
            { value: "" },
            t(view.player ? "statistics.every" : state?.match ? "statistics.running" : "statistics.every"),
          ),
          view.matches.map((match) =>
            h("option", { value: match.id, selected: match.id === view.match }, title(match)),
          ),
        ),
      ),
      h(
        "label",
        { class: "field" },
        h("span", null, t("statistics.player")),
        h(
          "select",
          {
            "data-key": "player",
            onchange: (event) =>
              load({ player: event.target.value || null, match: event.target.value ? null : view.match }),
          },
          h("option", { value: "" }, t("statistics.both")),
          names.map((name) => h("option", { value: name, selected: name === view.player }, name)),
        ),
      ),
    ),
  ];
}

function person(name, figures, sizes) {
  const tile = (label, value) => h("div", { class: "tile" }, h("b", null, value), h("span", null, label));
  const share = (value) => (value === null || value === undefined ? "–" : `${number(value * 100)} %`);
  return h(
    "article",
    { class: "card person", "aria-label": name },
    h(
      "h2",
      null,
      name,
      view.found.matches === undefined
        ? null
        : h("small", null, t("statistics.matches", { count: view.found.matches })),
    ),
    h(
      "div",
      { class: "tiles" },
      tile(t("statistics.points"), number(figures.points)),
      tile(t("statistics.best"), number(figures.breaks[0]?.points ?? 0)),
      tile(t("statistics.pots"), `${number(figures.made)}/${number(figures.tried)}`),
      tile(t("statistics.pot_success"), share(figures.pot_success)),
      tile(t("statistics.safety_success"), share(figures.safety_success)),
      tile(
        t("statistics.time"),
        figures.mean_time_s === null ? "–" : t("statistics.seconds", { s: number(figures.mean_time_s, 1) }),
      ),
      tile(t("statistics.strokes"), number(figures.strokes)),
      tile(t("statistics.fouls"), number(figures.fouls)),
    ),
    h(
      "div",
      { class: "charts" },
      bars(
        t("statistics.by_distance"),
        figures.by_distance,
        limits(
          figures.classes.distance_mm.map((mm) => mm / 1000),
          "m",
          1,
        ),
        true,
      ),
      bars(t("statistics.by_angle"), figures.by_angle, limits(figures.classes.angle_deg, "°", 0), true),
      bars(
        t("statistics.by_time"),
        figures.by_time.map((count) => [count, count]),
        limits(figures.classes.time_s, "s", 0),
        false,
      ),
      breaks(figures.breaks),
      sizes
        ? HEAT.map((each) =>
            heat(t(`statistics.${each}`), figures[each], sizes, each === "pots_from" ? figures.by_pocket : {}),
          )
        : null,
    ),
  );
}

/** Words for the classes between limits: up to the first, between, beyond the last. */
function limits(values, unit, digits) {
  const shown = values.map((value) => number(value, Number.isInteger(value) ? 0 : digits));
  const name = unit === "°" ? "°" : ` ${t(`statistics.unit_${unit}`)}`;
  return [`< ${shown[0]}`, ...shown.slice(1).map((value, i) => `${shown[i]}–${value}`), `> ${shown.at(-1)}`].map(
    (text) => text + name,
  );
}

/** Made of tried as bars of their share; or counts, where each bar is a count of all. */
function bars(title, rows, names, shares) {
  const most = Math.max(1, ...rows.map(([, tried]) => tried));
  return h(
    "figure",
    { class: "chart" },
    h("figcaption", null, title),
    h(
      "table",
      { class: "bars" },
      rows.map(([made, tried], i) => {
        const part = shares ? (tried ? made / tried : 0) : tried / most;
        return h(
          "tr",
          null,
          h("th", { scope: "row" }, names[i]),
          h(
            "td",
            { class: "bar-cell" },
            s(
              "svg",
              { class: "bar-drawn", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
              s("rect", { class: "track", width: 100, height: 10, rx: 2 }),
              s("rect", { class: "fill", width: 100 * part, height: 10, rx: 2 }),
            ),
          ),
          h("td", { class: "num" }, shares ? (tried ? `${number(made)}/${number(tried)}` : "–") : number(tried)),
        );
      }),
    ),
  );
}

const breaks = (list) =>
  h(
    "figure",
    { class: "chart" },
    h("figcaption", null, t("statistics.breaks")),
    list.length
      ? h(
          "ol",
          { class: "breaks" },
          list
            .slice(0, 8)
            .map((each) =>
              h(
                "li",
                null,
                h("b", null, number(each.points)),
                h("span", { class: "faint" }, t("statistics.balls", { count: each.balls })),
              ),
            ),
        )
      : h("p", { class: "empty" }, t("statistics.no_breaks")),
  );

/** How often the cue ball came to rest in each part of the table (rows from the baulk end), drawn on it. */
function heat(title, rows, sizes, pockets) {
  const at = ([x, y]) => [y, x];
  const margin = RAIL_MM + 8;
  const most = Math.max(1, ...rows.flat());
  const [dy, dx] = [sizes.length / rows.length, sizes.width / rows[0].length];
  const cells = rows.flatMap((row, j) =>
    row.map((count, i) =>
      count
        ? s(
            "rect",
            { x: j * dy, y: i * dx, width: dy, height: dx, class: "heat", opacity: 0.25 + (0.75 * count) / most },
            s("title", null, number(count)),
          )
        : null,
    ),
  );
  const fallen = POCKETS.filter((name) => pockets[name]).map((name) => {
    const [x, y] = at(pocketPlace(sizes, name));
    return s(
      "g",
      null,
      s("circle", { cx: x, cy: y, r: 110, class: "pocket-count" }),
      s("text", { x, y, class: "pocket-number" }, number(pockets[name])),
    );
  });
  return h(
    "figure",
    { class: "chart wide-chart" },
    h("figcaption", null, title),
    s(
      "svg",
      {
        class: "drawn-table",
        role: "img",
        "aria-label": title,
        viewBox: `${-margin} ${-margin} ${sizes.length + 2 * margin} ${sizes.width + 2 * margin}`,
      },
      drawBed(sizes, at),
      cells.filter(Boolean),
      fallen,
    ),
  );
}

async function load(changes) {
  Object.assign(view, changes);
  const query = new URLSearchParams(view.player ? { player: view.player } : view.match ? { match: view.match } : {});
  history.replaceState(null, "", `/statistics${query.size ? `?${query}` : ""}`);
  view.found = null;
  if (view.player || view.match || page.line.state?.match) {
    await attempt(async () => {
      view.found = await get(`/api/statistics?${query}`);
    });
  } else if (view.matches.length) {
    return load({ match: view.matches[0].id });
  }
  return page.redraw();
}

const page = await begin("statistics", draw);
await attempt(async () => {
  [{ matches: view.matches }, view.games] = await Promise.all([get("/api/matches?limit=200"), get("/api/games")]);
});
await load({});
let shots = null;
page.line.addEventListener("state", ({ detail }) => {
  const now = `${detail.state?.match?.id} ${detail.state?.shots?.length}`;
  if (now !== shots && (!view.match || view.match === detail.state?.match?.id)) load({});
  shots = now;
});
