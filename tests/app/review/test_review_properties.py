"""Whatever is corrected: undoing all of it gives the analysis back, and opening the folder again the same verdicts."""

import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from frame_of_snooker import FRAME, PLACES, analyzed, lines
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.app.review.analysis import AnalysisReview
from referee.app.review.corrections import Correction
from referee.app.review.errors import ReviewError
from tracking.strict_json import MalformedRecord

BALLS = st.sampled_from(sorted(set(PLACES) - {"cue"}))
SHOTS = st.integers(1, 4)


def _contact(n: int, ball: str) -> dict[str, Any]:
    events = [dict(event) for event in FRAME[n - 1]["events"]]
    events[1]["balls"] = ["cue", ball]
    return {"type": "official", "kind": "correct", "n": n, "record": {**FRAME[n - 1], "events": events}}


LINES = st.one_of(
    st.builds(_contact, SHOTS, BALLS),
    st.builds(lambda n, ball: {"type": "nomination", "n": n, "nominated": {"ball": ball}}, SHOTS, BALLS),
    st.builds(
        lambda n, ball: {
            "type": "observed",
            "n": n,
            "observed": [{"kind": "confirm", "question": "first_contact", "value": ball}],
        },
        SHOTS,
        BALLS,
    ),
    st.builds(lambda n, kind: {"type": "observed", "n": n, "observed": [{"kind": kind}]}, SHOTS, st.just("push")),
    st.builds(lambda on: {"type": "opening", "state": {"on": [on]}}, st.sampled_from(["red", "colour"])),
    st.builds(
        lambda n, player: {"type": "official", "kind": "concede", "n": n, "player": player},
        st.integers(1, 5),
        st.sampled_from(["A", "B"]),
    ),
    st.builds(lambda line: {"type": "undo", "line": line}, st.integers(1, 6)),
)


@pytest.fixture(scope="module")
def frame(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return analyzed(tmp_path_factory.mktemp("frames") / "frame")


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(LINES, max_size=6))
def test_corrections_are_kept_exactly_and_can_all_be_undone(frame: Path, said: list[dict[str, Any]]) -> None:
    with tempfile.TemporaryDirectory() as aside:
        folder = Path(shutil.copytree(frame, Path(aside) / "frame"))
        review = AnalysisReview("frame", folder)
        for line in said:
            before = review.folded.verdicts
            try:
                shown = review.preview(Correction.from_json(line))
            except (ReviewError, MalformedRecord):
                assert review.folded.verdicts == before
                continue
            review.accept(Correction.from_json(line), shown.revision)
            changed = any(each["field"] != "refused" for each in shown.differences)
            assert changed or _without_state(review.folded.verdicts) == _without_state(before)
        again = AnalysisReview("frame", folder)
        assert again.folded.verdicts == review.folded.verdicts
        assert again.revision == 0 or lines(folder / "reviewed.jsonl") == review.folded.verdicts
        for each in reversed(again.done()):
            if not each.undone and each.correction.kind != "undo":
                again.accept(Correction.from_json({"type": "undo", "line": each.line}), again.revision)
        assert again.folded.verdicts == lines(folder / "verdicts.jsonl")


def _without_state(verdicts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What differences tell of: not the whole state that the next stroke starts from."""
    left_out = ("state", "restore", "open", "retracted", "dropped", "undecided")
    return [{name: value for name, value in verdict.items() if name not in left_out} for verdict in verdicts]
