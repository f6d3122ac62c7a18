"""What a verdict costs: measured with ``pytest tests/rules/test_benchmark.py``, judged by nobody."""

import json

import pytest
from generators import new_match, random_match
from pytest_benchmark.fixture import BenchmarkFixture

from referee.rules import fold
from referee.rules.games import GAMES
from tracking.records import ShotRecord


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_shot(benchmark: BenchmarkFixture, game: str) -> None:
    match = new_match(game)
    record = next(line.item for line in random_match(game, 1, 3).lines if isinstance(line.item, ShotRecord))
    course = match.course
    judged = benchmark(lambda: fold.judge(match.game, course, record, 1))
    assert json.dumps(judged.verdict.fields["legal"])
