"""What is called a certain foul while balls run is a foul whatever follows: by random endings in every game."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.app.desk.early import certain_foul
from referee.match.log import Match
from tracking.records import CUSHIONS, POCKETS, ShotRecord

STATES: list[tuple[str, dict[str, Any]]] = [
    ("snooker", {"on": ["red"]}),
    ("snooker", {"on": ["colour"]}),
    ("snooker", {"on": ["yellow"], "balls": ["cue", "yellow", "green", "brown", "blue", "pink", "black"]}),
    ("snooker", {"on": ["red"], "free_ball": True}),
    ("9-ball", {"on": ["3"], "balls": ["cue", "3", "5", "9"], "9-ball": {"stage": "play"}}),
    ("9-ball", {"on": ["1"], "9-ball": {"stage": "push_out_open"}}),
    ("8-ball", {"on": ["solids"], "8-ball": {"stage": "play", "groups": {"A": "solids", "B": "stripes"}}}),
    ("8-ball", {"on": ["solids", "stripes"], "8-ball": {"stage": "open"}}),
    ("14.1", {"on": ["any"]}),
    ("pyramid-combined", {"on": ["any"], "pyramid-combined": {"stage": "play"}}),
]


@st.composite
def shots(draw: st.DrawFn) -> tuple[str, dict[str, Any], list[dict[str, Any]], list[dict[str, Any]], dict[str, Any]]:
    """A game, a state, how a shot begins, how it may go on, and what was nominated."""
    game, state = draw(st.sampled_from(STATES))
    match = Match.from_case(game, state)
    balls = sorted(match.state.balls - {"cue"})
    ball = st.sampled_from(balls)
    start: list[dict[str, Any]] = [
        {"t": 0.0, "kind": "strike", "ball": "cue"},
        {"t": 0.5, "kind": "contact", "balls": ["cue", draw(ball)], **draw(st.sampled_from([{}, {"confidence": 0.5}]))},
    ]
    if draw(st.booleans()):
        doubt = draw(st.sampled_from([{}, {"confidence": 0.5}, {"t_sigma": 0.3}]))
        start.append({"t": 0.6, "kind": "contact", "balls": ["cue", draw(ball)], **doubt})
    event = st.one_of(
        st.fixed_dictionaries({"kind": st.just("contact"), "balls": st.tuples(st.just("cue"), ball).map(list)}),
        st.fixed_dictionaries({"kind": st.just("cushion"), "ball": ball, "cushion": st.sampled_from(CUSHIONS)}),
        st.fixed_dictionaries({"kind": st.just("pocket"), "ball": ball, "pocket": st.sampled_from(POCKETS)}),
        st.fixed_dictionaries({"kind": st.just("off_table"), "ball": ball}),
        st.just({"kind": "pocket", "ball": "cue", "pocket": "top-left"}),
        st.just({"kind": "cushion", "ball": "cue", "cushion": "top"}),
    )
    rest = [{"t": 1.0 + i, **each} for i, each in enumerate(draw(st.lists(event, max_size=5)))]
    said = draw(st.fixed_dictionaries({}, optional={"ball": ball, "push_out": st.booleans(), "safety": st.booleans()}))
    return game, state, start, rest, said


@settings(max_examples=80, deadline=None)
@given(shots())
def test_a_certain_foul_is_one_whatever_follows(shot: tuple[Any, ...]) -> None:
    game, state, start, rest, said = shot
    match = Match.from_case(game, state)
    so_far = ShotRecord.from_json({"events": start, "nominated": said})
    certain = certain_foul(match, so_far)
    whole = [*start, *rest, {"t": 9.0, "kind": "rest"}]
    verdict = match.add(ShotRecord.from_json({"events": whole, "nominated": said})).verdict
    assert not certain or verdict["legal"] is False
