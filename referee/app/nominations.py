"""What counts as nominated where nobody wrote it down: the same for analyzed footage and for a live match."""

from referee.app.names import kind
from referee.rules.state import State
from tracking.records import Contact, Nominated, Pocket, ShotRecord

CALLED_GAMES = frozenset({"14.1", "8-ball"})


def first_hit(record: ShotRecord) -> str | None:
    """The ball that the cue ball touched first, None where it is not known to have touched one, or touched several.

    The referee's answer counts before what was seen.
    """
    said = [each.value for each in record.observed if (each.kind, each.question) == ("confirm", "first_contact")]
    if said:
        balls = [said[-1]] if isinstance(said[-1], str) else said[-1]
        return str(balls[0]) if isinstance(balls, list | tuple) and len(balls) == 1 else None
    for event in record.events:
        if isinstance(event, Contact) and (other := event.other("cue")) is not None:
            return other
    return None


def only_potted(record: ShotRecord) -> str | None:
    """The object ball that dropped, None where none did, or several."""
    potted = [event.ball for event in record.events if isinstance(event, Pocket) and event.ball != "cue"]
    return potted[0] if len(potted) == 1 else None


def inferred_nomination(state: State, record: ShotRecord) -> Nominated | None:
    """The ball hit first, where it could have been nominated; with its pocket where pots are called.

    In snooker, where it wasn't seen which was hit first, the one that dropped.
    ``state`` is the match's before this record.
    """
    hit = first_hit(record)
    if hit is None and state.game == "snooker":
        hit = only_potted(record)
    if hit is None:
        return None
    if state.game == "snooker":
        free_choice = "colour" in state.on and kind(hit) != "red"
        return Nominated(ball=hit) if free_choice or state.free_ball else None
    if state.game not in CALLED_GAMES:
        return None
    pocket = next((e.pocket for e in record.events if isinstance(e, Pocket) and e.ball == hit), None)
    return Nominated(ball=hit, pocket=pocket) if pocket is not None else None
