"""Whatever is entered: taken or refused with one clear line, and the match that is resumed is the match."""

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.app.desk.desk import Desk
from referee.app.desk.statistics import of_match
from referee.rules.games import GAMES
from referee.rules.officials import KINDS, OPTIONS, QUERIES, WARNINGS
from tracking.records import CUSHIONS, LINES, OBSERVED_KINDS, POCKETS
from tracking.strict_json import MalformedRecord

PLAYERS = ("Ann", "Bob")


def events(balls: list[str]) -> st.SearchStrategy[list[dict[str, Any]]]:
    ball = st.sampled_from(balls)
    kinds = st.one_of(
        st.fixed_dictionaries({"kind": st.just("strike"), "ball": st.just("cue")}),
        st.fixed_dictionaries({"kind": st.just("contact"), "balls": st.tuples(st.just("cue"), ball).map(list)}),
        st.fixed_dictionaries({"kind": st.just("contact"), "balls": st.tuples(ball, ball).map(list)}),
        st.fixed_dictionaries({"kind": st.just("cushion"), "ball": ball, "cushion": st.sampled_from(CUSHIONS)}),
        st.fixed_dictionaries({"kind": st.just("pocket"), "ball": ball, "pocket": st.sampled_from(POCKETS)}),
        st.fixed_dictionaries({"kind": st.just("off_table"), "ball": ball}),
        st.fixed_dictionaries({"kind": st.just("crossed"), "ball": ball, "line": st.sampled_from(LINES)}),
        st.fixed_dictionaries({"kind": st.just("jump"), "ball": st.just("cue"), "over": ball}),
        st.fixed_dictionaries(
            {"kind": st.just("fell"), "ball": ball, "pocket": st.sampled_from(POCKETS), "still_s": st.floats(0, 20)}
        ),
        st.fixed_dictionaries(
            {"kind": st.just("moved"), "ball": ball, "cause": st.sampled_from(["itself", "player", "outside"])}
        ),
        st.fixed_dictionaries({"kind": st.just("rest")}),
    )
    doubt = st.one_of(st.just({}), st.just({"confidence": 0.5}), st.just({"t_sigma": 0.3}))

    def timed(parts: list[tuple[dict[str, Any], dict[str, Any]]]) -> list[dict[str, Any]]:
        strike = {"t": 0.0, "kind": "strike", "ball": "cue"}
        return [strike, *({"t": 0.4 * (i + 1), **event, **more} for i, (event, more) in enumerate(parts))]

    return st.lists(st.tuples(kinds, doubt), max_size=6).map(timed)


def records(balls: list[str]) -> st.SearchStrategy[dict[str, Any]]:
    place = st.tuples(st.floats(0, 1200), st.floats(0, 2400)).map(list)
    places = st.one_of(st.none(), st.dictionaries(st.sampled_from(balls), place, max_size=6))
    seen = st.fixed_dictionaries(
        {"kind": st.sampled_from([kind for kind in OBSERVED_KINDS if kind not in ("confirm", "call_valid")])},
        optional={"ball": st.sampled_from(balls), "player": st.sampled_from(PLAYERS), "who": st.sampled_from(PLAYERS)},
    )
    said = st.one_of(
        st.none(),
        st.fixed_dictionaries(
            {}, optional={"ball": st.sampled_from(balls), "pocket": st.sampled_from(POCKETS), "safety": st.booleans()}
        ),
    )
    return st.fixed_dictionaries(
        {
            "type": st.just("shot"),
            "events": st.one_of(events(balls), st.just([])),
            "before": places,
            "after": places,
            "observed": st.lists(seen, max_size=2),
            "nominated": said,
        }
    )


def officials(balls: list[str]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {"kind": st.sampled_from([kind for kind in KINDS if kind != "correct"])},
        optional={
            "player": st.sampled_from(PLAYERS),
            "winner": st.sampled_from(PLAYERS),
            "to": st.sampled_from(PLAYERS),
            "for": st.sampled_from(["claim", "conduct"]),
            "option": st.sampled_from(OPTIONS),
            "ball": st.sampled_from(balls),
            "about": st.sampled_from([*WARNINGS, *QUERIES]),
            "players": st.permutations(PLAYERS).map(list),
            "at": st.tuples(st.floats(0, 1200), st.floats(0, 2400)).map(list),
            "balls": st.dictionaries(st.sampled_from(balls), st.tuples(st.floats(0, 900), st.floats(0, 900)).map(list)),
            "lines": st.integers(1, 3),
        },
    )


@st.composite
def matches(draw: st.DrawFn) -> tuple[str, list[tuple[str, dict[str, Any]]]]:
    game = draw(st.sampled_from(sorted(GAMES)))
    balls = sorted(GAMES[game].ball_names)
    some = draw(st.lists(st.sampled_from(balls), min_size=3, max_size=6, unique=True))
    some = ["cue", *(ball for ball in some if ball != "cue")]
    line = st.one_of(
        st.tuples(st.just("shot"), records(some)),
        st.tuples(st.just("official"), officials(some)),
        st.tuples(st.just("correct"), records(some)),
    )
    return game, draw(st.lists(line, min_size=1, max_size=5))


@settings(max_examples=40, deadline=None)
@given(matches())
def test_every_input_is_taken_or_refused(played: tuple[str, list[tuple[str, dict[str, Any]]]]) -> None:
    game, lines = played
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk.create(Path(folder) / "m", {"game": game, "players": list(PLAYERS), "frames_to_win": 2})
        for kind, line in lines:
            before = desk.seq
            try:
                if kind == "shot":
                    desk.shot(line)
                elif kind == "official":
                    desk.official(line)
                else:
                    desk.correct(1, line)
            except MalformedRecord as refused:
                assert "\n" not in str(refused) and desk.seq == before
            else:
                assert desk.seq > before
        played_events = [each.item.events for each in desk.match.shots]  # type: ignore[union-attr]
        desk.putback_figures()
        people = of_match(desk.match)
        assert sum(each["strokes"] for each in people.values()) <= len(desk.match.shots)
        assert all(each["made"] <= each["tried"] <= each["strokes"] for each in people.values())
        state, heard = desk.snapshot(), desk.messages_since(0)
        desk.close()
        again = Desk.resume(desk.folder)
        assert again.snapshot() == state and again.messages_since(0) == heard
        if played_events:
            again.running(played_events[-1], None, 99.0)
        again.close()
