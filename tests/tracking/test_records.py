"""Shot records: reading, writing and the order of events."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracking.records import (
    CUSHIONS,
    LINES,
    OBSERVED_KINDS,
    POCKETS,
    Answer,
    Contact,
    Crossed,
    Cushion,
    Event,
    Fell,
    Gap,
    Jump,
    MalformedRecord,
    Moved,
    Nominated,
    Observed,
    OffTable,
    Pocket,
    Rest,
    Returned,
    ShotRecord,
    Strike,
    before,
    parse_json,
)

EXAMPLE = """{"type": "shot", "n": 7, "t0": 41.233, "t1": 46.9, "before": {"cue": [889, 600], "red-1": [900, 2700]},
 "events": [{"t": 41.233, "kind": "strike", "ball": "cue"}, {"t": 41.803, "kind": "contact", "balls": ["cue", "red-1"]},
  {"t": 42.310, "kind": "cushion", "ball": "cue", "cushion": "top"},
  {"t": 42.950, "kind": "pocket", "ball": "red-1", "pocket": "top-right"}, {"t": 46.900, "kind": "rest"}],
 "after": {"cue": [1200, 3100]}, "nominated": {"ball": "red-1"}, "observed": [], "from a later version": 1}"""


def example() -> Any:
    return parse_json(EXAMPLE)


def test_reads_the_contracts_example() -> None:
    record = ShotRecord.from_json(example())
    assert (record.n, record.t0, record.t1) == (7, 41.233, 46.9)
    assert record.before == {"cue": (889.0, 600.0), "red-1": (900.0, 2700.0)}
    assert record.after == {"cue": (1200.0, 3100.0)}
    assert record.nominated == Nominated(ball="red-1")
    assert [event.kind for event in record.events] == ["strike", "contact", "cushion", "pocket", "rest"]
    assert record.events[1] == Contact(t_s=41.803, balls=("cue", "red-1"))
    assert record.events[3] == Pocket(t_s=42.95, ball="red-1", pocket="top-right")


finite = st.floats(-1e6, 1e6, allow_nan=False)
ball = st.sampled_from(["cue", "black", "red-1", "red-15", "8"])
two = st.lists(ball, min_size=2, max_size=2, unique=True).map(tuple)
sure = {"t_sigma_s": st.floats(0, 1), "confidence": st.floats(0, 1)}
timed = {"t_s": st.floats(0, 100), **sure}
events = st.one_of(
    st.builds(Strike, ball=ball, **timed),
    st.builds(Contact, balls=two, **timed),
    st.builds(Cushion, ball=ball, cushion=st.sampled_from(CUSHIONS), **timed),
    st.builds(Crossed, ball=ball, line=st.sampled_from(LINES), **timed),
    st.builds(Pocket, ball=ball, pocket=st.sampled_from(POCKETS), **timed),
    st.builds(OffTable, ball=ball, **timed),
    st.builds(Returned, ball=ball, via=st.sampled_from(["cushion", "rail", "pocket"]), **timed),
    st.builds(Fell, ball=ball, pocket=st.sampled_from(POCKETS), still_s=st.floats(0, 99), **timed),
    st.builds(Moved, ball=ball, cause=st.sampled_from(["itself", "player", "outside"]), **timed),
    two.flatmap(lambda b: st.builds(Jump, ball=st.just(b[0]), over=st.just(b[1]), touched=st.booleans(), **timed)),
    st.builds(Rest, **timed),
)
places = st.none() | st.dictionaries(ball, st.tuples(finite, finite))
nominations = st.none() | st.builds(
    Nominated,
    ball=st.none() | ball,
    pocket=st.none() | st.sampled_from(POCKETS),
    safety=st.booleans(),
    push_out=st.booleans(),
)
seen = st.builds(
    Observed,
    kind=st.sampled_from([kind for kind in OBSERVED_KINDS if kind not in ("confirm", "call_valid")]),
    ball=st.none() | ball,
    who=st.none() | st.just("spectator"),
) | st.builds(
    Observed,
    kind=st.just("confirm"),
    question=st.just("first_contact"),
    value=st.one_of(st.booleans(), ball, two),
)
gaps = st.builds(
    lambda t0, length, balls, region: Gap(t0_s=t0, t1_s=t0 + length, balls=balls, region=region),
    st.floats(0, 100),
    st.floats(0, 5),
    st.none() | two,
    st.none() | st.lists(st.tuples(finite, finite), min_size=3, max_size=4).map(tuple),
)


@st.composite
def records(draw: st.DrawFn) -> ShotRecord:
    happened = sorted(draw(st.lists(events, max_size=8)), key=lambda event: event.t_s)
    return ShotRecord(
        n=draw(st.none() | st.integers(1, 999)),
        t0=0.0,
        t1=100.0,
        before=draw(places),
        events=tuple(happened),
        after=draw(places),
        nominated=draw(nominations),
        observed=tuple(draw(st.lists(seen, max_size=3))),
        gaps=tuple(draw(st.lists(gaps, max_size=2))),
        unplaced=draw(st.lists(ball, max_size=2, unique=True).map(tuple)),
    )


@given(records())
def test_a_round_trip_through_json_is_the_identity(record: ShotRecord) -> None:
    assert ShotRecord.from_json(parse_json(json.dumps(record.to_json()))) == record


@pytest.mark.parametrize(
    ("path", "value", "named"),
    [
        (["t0"], "soon", "t0"),
        (["t0"], float("nan"), "t0"),
        (["t1"], 41, "t1"),
        (["n"], 0, "n"),
        (["n"], True, "n"),
        (["type"], "official", "type"),
        (["before", "cue"], [1, 2, 3], "before.cue"),
        (["before", "cue"], [1, "2"], "before.cue[1]"),
        (["after"], [], "after"),
        (["events"], {}, "events"),
        (["events"], None, "events"),
        (["events", 0], 5, "events[0]"),
        (["events", 0, "kind"], "hit", "events[0].kind"),
        (["events", 0, "t"], True, "events[0].t"),
        (["events", 2, "t"], 41.3, "events[2].t"),
        (["events", 4, "t"], 47.5, "events[4].t"),
        (["events", 0, "t"], 40.0, "events[0].t"),
        (["events", 1, "balls"], ["cue"], "events[1].balls"),
        (["events", 1, "balls"], ["cue", "cue"], "events[1].balls"),
        (["events", 1, "t_sigma"], -1, "events[1].t_sigma"),
        (["events", 1, "confidence"], 1.5, "events[1].confidence"),
        (["events", 2, "cushion"], "north", "events[2].cushion"),
        (["events", 3, "pocket"], None, "events[3].pocket"),
        (["nominated"], "black", "nominated"),
        (["nominated"], {"pockets": ["top-left"]}, "nominated.pockets"),
        (["observed"], [{"kind": "sneezed"}], "observed[0].kind"),
        (["observed"], [{"kind": "confirm", "value": True}], "observed[0].question"),
        (["observed"], [{"kind": "confirm", "question": "angled"}], "observed[0].value"),
        (["gaps"], [{"t0": 3, "t1": 2}], "gaps[0].t1"),
    ],
)
def test_an_error_names_the_field(path: list[Any], value: Any, named: str) -> None:
    data = example()
    inner = data
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    with pytest.raises(MalformedRecord) as caught:
        ShotRecord.from_json(data, "inputs[0]")
    assert caught.value.path == f"inputs[0].{named}"
    assert "expected" in str(caught.value)


@pytest.mark.parametrize("text", ["", "{", "NaN", '{"a": 1, "a": 2}', "[" * 100_000, '{"t": Infinity}', "{'a': 1}"])
def test_text_that_is_not_strict_json_is_refused(text: str) -> None:
    with pytest.raises(MalformedRecord):
        parse_json(text)


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(["type", "events", "t", "kind", "ball", "before", "n", "t0", "observed", "gaps"])
                | st.text(),
                inner,
            )
        ),
    )
)
def test_anything_else_is_a_named_error(data: Any) -> None:
    try:
        ShotRecord.from_json(data)
    except MalformedRecord as error:
        assert error.path


def at(t_s: float, sigma: float = 0.0) -> Event:
    return Rest(t_s=t_s, t_sigma_s=sigma)


@pytest.mark.parametrize(
    ("a", "b", "answer"),
    [
        (at(1.0), at(2.0), Answer.YES),
        (at(2.0), at(1.0), Answer.NO),
        (at(1.0), at(1.0), Answer.NO),
        (at(1.0, 0.01), at(1.02), Answer.UNKNOWN),
        (at(1.0, 0.01), at(1.031), Answer.YES),
        (at(1.031, 0.01), at(1.0), Answer.NO),
        (at(1.0, 0.003), at(1.014, 0.004), Answer.UNKNOWN),
        (at(1.0, 0.003), at(1.0151, 0.004), Answer.YES),
        (at(1.0, 0.01), at(1.0), Answer.UNKNOWN),
    ],
)
def test_order_of_two_events(a: Event, b: Event, answer: Answer) -> None:
    assert before(a, b) is answer
