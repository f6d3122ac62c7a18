// What a referee can touch in each game: what may be declared in a state, and what may be seen by a person, by clause.

import { ballsOn } from "./sight.js";
import { sorted } from "./balls.js";
import { word } from "./words.js";

const COLOURS = ["yellow", "green", "brown", "blue", "pink", "black"];

/** kind → clause, in the order of the buttons. What each needs: a ball, a player. */
const POOL_FOULS = {
  double_hit: "PG-20a",
  push: "PG-21",
  foot_off: "PG-11",
  touched: "PG-19a",
  tip_fault: "PG-3",
  bad_placement: "PG-7a",
  balls_moving: "PG-12",
  out_of_turn: "SUP-PG-29",
  jump_method: "PG-22c",
  miscue: "PG-22b",
  used_out_ball: "SUP-PG-29",
  foreign_object: "PG-23d",
};
export const FOULS = {
  snooker: {
    double_hit: "SN-3.11.1b",
    push: "SN-3.11.2c",
    foot_off: "SN-3.11.1c",
    touched: "SN-3.11.2e",
    tip_fault: "SN-3.11.2e",
    bad_placement: "SN-3.11.1e",
    balls_moving: "SN-3.11.1a",
    out_of_turn: "SN-3.11.1d",
    ball_misplaced: "SN-3.11.2d",
    used_out_ball: "SN-3.11.4b",
  },
  "8-ball": POOL_FOULS,
  "9-ball": POOL_FOULS,
  14.1: { ...POOL_FOULS, deliberate: "P141-7.5a" },
  "pyramid-combined": {
    double_hit: "SUP-PYR-11",
    push: "SUP-PYR-11",
    foot_off: "SUP-PYR-11",
    touched: "SUP-PYR-11",
    balls_moving: "SUP-PYR-11",
    bad_placement: "SUP-PYR-6",
    out_of_turn: "SUP-PYR-11",
    foreign_object: "SUP-PYR-9",
  },
};
export const NEEDS_BALL = ["touched", "ball_misplaced", "used_out_ball", "deliberate", "foreign_object"];
export const NEEDS_PLAYER = ["out_of_turn"];

/** The balls on the table by the log. */
export function ballsOf(state) {
  const balls = state.position?.balls ?? [];
  return sorted(Array.isArray(balls) ? balls : Object.keys(balls));
}

export const objectBalls = (state) => ballsOf(state).filter((name) => name !== "cue");

const isRed = (name) => /^red-\d+$/.test(name ?? "");

/** One ball stands for those that nobody tells apart, such as reds: the one that is chosen, if any of them is. */
export function oneOfEach(names, chosen = null) {
  const red = isRed(chosen) ? chosen : names.find(isRed);
  return names.filter((name) => !isRed(name) || name === red);
}

/** What such a ball is called: by its kind. */
export const kindWord = (name) => word("balls", isRed(name) ? "red" : name);

/** What may be declared before the next stroke: {balls, pockets, safety, pushOut}; empty where nothing is declared. */
export function declarable(state) {
  const game = state.board.game;
  const own = state.position?.[game] ?? {};
  const on = state.next?.on ?? state.board.on;
  const balls = objectBalls(state);
  const calls = state.match.options ?? {};
  const nothing = { balls: [], pockets: false, safety: false, pushOut: false };
  if (game === "snooker") {
    if (state.next?.free_ball) return { ...nothing, balls: oneOfEach(balls) };
    return on?.includes("colour") ? { ...nothing, balls: COLOURS.filter((each) => balls.includes(each)) } : nothing;
  }
  if (game === "9-ball") return { ...nothing, pushOut: own.stage === "push_out_open" };
  if (own.stage === "break" && game === "8-ball") return nothing;
  if (game === "8-ball") return { balls: ballsOn(on, balls), pockets: true, safety: true, pushOut: false };
  if (game === "14.1") return { balls, pockets: true, safety: true, pushOut: false };
  if ((own.calls ?? calls.pyramid_calls) === "none") return nothing;
  return { balls: ["cue", ...balls], pockets: true, safety: false, pushOut: false };
}

/** Whether a miss can be called in this game. */
export const hasMiss = (game) => game === "snooker";
/** Games whose rules ask whether a ball reached a cushion after the first contact. */
export const asksCushion = (game) => game !== "snooker";
/** Warnings that the game's rules know. */
export const warnings = (game) => [
  "slow_play",
  "conduct",
  "stalemate",
  ...(["9-ball", "14.1"].includes(game) ? ["two_fouls"] : []),
];
