"""The policies: where the rule texts are silent or can be read in two ways, each choice has a name and a default.

``Settings()`` is rule set ``seed``. Every field is one policy, POL-1 to POL-23, or one difference of the current rules;
:data:`POLICIES` tells which, what it may be and what is meant. ``Settings.from_json`` reads a rule set's name and
options and refuses what isn't built.
"""

from dataclasses import dataclass, fields
from typing import Any

from referee.rules.differences import current_policies, lacking
from tracking.strict_json import MalformedRecord, read_boolean, read_number, read_object, read_string

RULE_SETS = ("seed", "current")


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """One open point of the rules: its id, what it is about and the readings that are built (empty: a number)."""

    id: str
    about: str
    choices: tuple[str | bool, ...] = ()


POLICIES: dict[str, Policy] = {
    "snookered": Policy(
        id="POL-1",
        about="snookered when no part of any ball on can be hit, or when both edges of none can",
        choices=("any_part", "both_edges"),
    ),
    "spotting_order": Policy(
        id="POL-2",
        about="several colours to spot: those whose own spot is free first, or by value alone",
        choices=("own_spot_first", "value"),
    ),
    "third_foul_14_1": Policy(
        id="POL-3", about="14.1: the third foul running costs 15 in all, or 1 and 15", choices=("15", "1+15")
    ),
    "fouls_cleared_14_1": Policy(
        id="POL-4",
        about="14.1: what clears the record of fouls",
        choices=("foul_free_stroke", "pot_or_safety"),
    ),
    "break_scratch_14_1": Policy(
        id="POL-5", about="14.1: an illegal break with a scratch is one penalty of 2", choices=("one_penalty",)
    ),
    "open_table_eight_first": Policy(
        id="POL-6",
        about="8-ball: the 8 struck first on an open table loses the turn, or is a foul",
        choices=("turn", "foul"),
    ),
    "eight_off_on_break": Policy(
        id="POL-7", about="8-ball: the 8 off the table on the break", choices=("loss", "spotted")
    ),
    "third_foul_unwarned": Policy(
        id="POL-8",
        about="9-ball: third foul running without the warning: the count stays at two, or the game is lost",
        choices=("count_stays", "loss"),
    ),
    "pyramid_penalty": Policy(
        id="POL-9", about="pyramid: the opponent takes a ball from the table", choices=("opponent_takes_ball",)
    ),
    "pyramid_break_balls": Policy(
        id="POL-10", about="pyramid: so many balls to cushions make a break legal (or one less and one over the middle)"
    ),
    "miss_replay": Policy(
        id="POL-11", about="a replay after a miss puts back all, or all but reds", choices=("reds_stay_out", "all")
    ),
    "balance_s": Policy(id="POL-12", about="a ball that lay still for less (s) before it fell counts as pocketed"),
    "stalemate_breaker": Policy(
        id="POL-13", about="8-ball: who breaks after a stalemate", choices=("original_breaker",)
    ),
    "doubles_play_again": Policy(
        id="POL-14",
        about="doubles: after an offender who was put in again, the order goes on with the one who follows him",
        choices=("follows_offender",),
    ),
    "simultaneous": Policy(
        id="POL-15",
        about="first contacts nearer in time than their uncertainty: the referee is asked",
        choices=("ask",),
    ),
    "deliberate_foul_counts": Policy(
        id="POL-16", about="14.1: a deliberate foul counts in the series", choices=(True, False)
    ),
    "frozen_legal_ball": Policy(
        id="POL-17", about="pool: a legal ball frozen to the cue ball may be played towards", choices=("allowed",)
    ),
    "house_shots": Policy(
        id="POL-18",
        about="a ball in the house is played by way of the foot cushion, or after leaving the house",
        choices=("foot_cushion", "leave_house"),
    ),
    "pyramid_calls": Policy(
        id="POL-19",
        about="pyramid: what is called, if the state doesn't say",
        choices=("gentleman", "ball_pocket", "none"),
    ),
    "spotting_overflow": Policy(
        id="POL-20",
        about="when only some balls fit behind the foot spot, the lowest numbers go there",
        choices=("lowest_behind",),
    ),
    "award_scope": Policy(id="POL-21", about="what is lost by conduct", choices=("frame",)),
    "clearance_mm": Policy(id="POL-22", about="'as near as possible' leaves so much air (mm)"),
    "next_break": Policy(
        id="SUP-PG-29",
        about="who breaks the next game: as the game's book has it, or as the organisers choose",
        choices=("by_game", "winner", "alternate", "loser", "trailing"),
    ),
    "near_cushion_14_1": Policy(
        id="DIF-17",
        about="14.1: a ball near a cushion serves for two safeties, or only an announced frozen ball is a limit",
        choices=("two_safeties", "announced"),
    ),
    "deliberate_foul_14_1": Policy(
        id="DIF-18", about="14.1: a deliberate foul costs 16, or is a matter of conduct", choices=("16", "conduct")
    ),
    "stalemate_14_1": Policy(
        id="DIF-19", about="14.1: after a stalemate the game is replayed, or a new rack", choices=("replay", "new_rack")
    ),
    "eight_ball_calls": Policy(
        id="DIF-24",
        about="8-ball: obvious balls need not be called, or every shot",
        choices=("gentleman", "every_shot"),
    ),
    "eight_ball_off_table": Policy(
        id="DIF-26", about="8-ball: object balls off the table", choices=("spotted", "stay_out")
    ),
    "eight_ball_stalemate": Policy(
        id="DIF-30",
        about="8-ball: what the referee counts at a stalemate: fouls running, or visits since his warning",
        choices=("fouls", "visits"),
    ),
    "angled_remedy": Policy(id="DIF-2", about="snooker: angled after a foul", choices=("from_D", "none")),
    "miss": Policy(
        id="DIF-3",
        about="snooker: a miss is the referee's word, or called on every failure that isn't pointless",
        choices=("referee", "failure"),
    ),
    "jump": Policy(
        id="DIF-7",
        about="snooker: a ball may be jumped once the ball on was hit, or once any ball was hit",
        choices=("after_ball_on", "after_any_ball"),
    ),
    "deliberate_touch": Policy(
        id="DIF-8", about="snooker: what a ball moved on purpose costs", choices=("ball", "seven")
    ),
    "last_black": Policy(
        id="DIF-9",
        about="snooker: the frame may be claimed (awarded for claim) on the last black",
        choices=("played", "claim"),
    ),
    "concession": Policy(id="DIF-10", about="snooker: who may concede", choices=("anybody", "striker")),
    "measured_mm": Policy(
        id="CAMERA",
        about="positions are known to within so many mm only: what is nearer to a limit is asked (0: they are exact)",
    ),
    "undeclared": Policy(
        id="CAMERA",
        about="a record without a nomination: nothing was declared, or nobody knows what, and it is asked",
        choices=("nothing", "unknown"),
    ),
    "jump_miscue": Policy(id="DIF-32", about="pool: a miscue on a jump shot", choices=("foul", "legal")),
    "cue_ball_on_line": Policy(
        id="POL-23", about="the cue ball played from on the head string is a foul", choices=("foul", "allowed")
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The rule set in force; the defaults are those of the seed rules."""

    rules: str = "seed"
    snookered: str = "any_part"
    spotting_order: str = "own_spot_first"
    third_foul_14_1: str = "15"
    fouls_cleared_14_1: str = "foul_free_stroke"
    break_scratch_14_1: str = "one_penalty"
    open_table_eight_first: str = "turn"
    eight_off_on_break: str = "loss"
    third_foul_unwarned: str = "count_stays"
    pyramid_penalty: str = "opponent_takes_ball"
    pyramid_break_balls: float = 3
    miss_replay: str = "reds_stay_out"
    balance_s: float = 5.0
    stalemate_breaker: str = "original_breaker"
    doubles_play_again: str = "follows_offender"
    simultaneous: str = "ask"
    deliberate_foul_counts: bool = True
    frozen_legal_ball: str = "allowed"
    house_shots: str = "foot_cushion"
    pyramid_calls: str = "gentleman"
    spotting_overflow: str = "lowest_behind"
    award_scope: str = "frame"
    clearance_mm: float = 1.0
    next_break: str = "by_game"
    near_cushion_14_1: str = "two_safeties"
    deliberate_foul_14_1: str = "16"
    stalemate_14_1: str = "replay"
    eight_ball_calls: str = "gentleman"
    eight_ball_off_table: str = "spotted"
    eight_ball_stalemate: str = "fouls"
    angled_remedy: str = "from_D"
    miss: str = "referee"
    jump: str = "after_ball_on"
    deliberate_touch: str = "ball"
    last_black: str = "played"
    concession: str = "anybody"
    measured_mm: float = 0.0
    undeclared: str = "nothing"
    jump_miscue: str = "foul"
    cue_ball_on_line: str = "foul"

    @classmethod
    def from_json(cls, rules: object, options: object = None, path: str = "rules", *, game: str = "") -> "Settings":
        """The named rule set with single policies set otherwise: ``options`` is an object of :data:`POLICIES`.

        Raises MalformedRecord where a rule set, a policy or a reading isn't there.
        """
        name = read_string(rules, path, RULE_SETS)
        chosen: dict[str, Any] = {}
        if name == "current":
            missing = ", ".join(f"{each.id} ({each.current})" for each in lacking(game))
            if missing:
                raise MalformedRecord(path, f"seed, because for {game} current still lacks {missing}", name)
            chosen |= current_policies(game)
        for key, value in read_object(options or {}, "options").items():
            where = f"options.{key}"
            if key not in POLICIES:
                raise MalformedRecord(where, "a policy: " + ", ".join(POLICIES), value)
            choices = POLICIES[key].choices
            if not choices:
                chosen[key] = read_number(value, where, least=0.0)
            elif isinstance(choices[0], bool):
                chosen[key] = read_boolean(value, where)
            else:
                chosen[key] = read_string(value, where, [str(choice) for choice in choices])
        return cls(rules=name, **chosen)

    def to_json(self) -> dict[str, Any]:
        """The options that differ from the rule set's defaults."""
        plain = Settings()
        pairs = {each.name: getattr(self, each.name) for each in fields(self) if each.name != "rules"}
        return {name: value for name, value in pairs.items() if value != getattr(plain, name)}


assert {each.name for each in fields(Settings)} == {"rules", *POLICIES}
