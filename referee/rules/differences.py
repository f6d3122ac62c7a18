"""Where the current rules differ from the seed rules, and which of these differences are built as a policy.

Rule set ``current`` is the seed's table of clauses with these policies. A game has it only if every one of its
differences is built; else asking for it is an error that names those that are lacking.
"""

from dataclasses import dataclass

POOL = ("14.1", "9-ball", "8-ball")


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One difference: the games it concerns, what the current rules say, and the policy that does it (None: none)."""

    id: str
    games: tuple[str, ...]
    current: str
    policy: tuple[str, str] | None = None


def _of(id: str, games: tuple[str, ...], current: str, policy: tuple[str, str] | None = None) -> Difference:
    return Difference(id=id, games=games, current=current, policy=policy)


DIFFERENCES: tuple[Difference, ...] = (
    _of("DIF-1", ("snooker",), "snookered unless both edges of some ball on can be hit", ("snookered", "both_edges")),
    _of("DIF-2", ("snooker",), "no play from the D when angled", ("angled_remedy", "none")),
    _of("DIF-3", ("snooker",), "a miss on nearly every failure; the third may lose the frame", ("miss", "failure")),
    _of("DIF-3", ("snooker",), "a replay after a miss puts back all balls", ("miss_replay", "all")),
    _of("DIF-7", ("snooker",), "a ball may be jumped once any ball was hit", ("jump", "after_any_ball")),
    _of("DIF-8", ("snooker",), "a ball moved on purpose costs seven", ("deliberate_touch", "seven")),
    _of("DIF-9", ("snooker",), "the last black may be claimed with a lead of more than seven", ("last_black", "claim")),
    _of("DIF-10", ("snooker",), "only the striker concedes", ("concession", "striker")),
    _of("DIF-14", ("snooker",), "a partner may lose a turn in doubles", ("doubles_play_again", "follows_offender")),
    _of("DIF-15", ("14.1",), "the third foul running costs 1 and 15", ("third_foul_14_1", "1+15")),
    _of("DIF-16", ("14.1",), "any legal stroke clears the fouls", ("fouls_cleared_14_1", "foul_free_stroke")),
    _of("DIF-17", ("14.1",), "no limit of safeties at a ball near a cushion", ("near_cushion_14_1", "announced")),
    _of("DIF-18", ("14.1",), "a deliberate foul is unsporting conduct", ("deliberate_foul_14_1", "conduct")),
    _of("DIF-19", ("14.1",), "a lag and a new rack at a stalemate", ("stalemate_14_1", "new_rack")),
    _of("DIF-24", ("8-ball",), "every shot is called, ball and pocket", ("eight_ball_calls", "every_shot")),
    _of("DIF-25", ("8-ball",), "the 8 first on an open table is a foul", ("open_table_eight_first", "foul")),
    _of("DIF-26", ("8-ball",), "balls off the table stay out", ("eight_ball_off_table", "stay_out")),
    _of("DIF-29", ("8-ball",), "the 8 off the table on the break is spotted", ("eight_off_on_break", "spotted")),
    _of("DIF-30", ("8-ball",), "three more visits each at a stalemate", ("eight_ball_stalemate", "visits")),
    _of("DIF-31", POOL, "from the house the cue ball must leave it first", ("house_shots", "leave_house")),
    _of("DIF-32", POOL, "a miscue on a jump is no foul, only a scoop is", ("jump_miscue", "legal")),
    _of("DIF-36", ("pyramid-combined",), "nothing is called", ("pyramid_calls", "none")),
)
"""The differences in what is decided; those in words, equipment or an event's own regulations are left out."""


def current_policies(game: str) -> dict[str, str]:
    """The policies of rule set ``current`` in this game, as far as they are built."""
    return dict(each.policy for each in DIFFERENCES if game in each.games and each.policy is not None)


def lacking(game: str) -> list[Difference]:
    """What rule set ``current`` lacks in this game."""
    return [each for each in DIFFERENCES if game in each.games and each.policy is None]
