"""A green ball on green cloth: followed where it rolls, found where it is put back, and no ghost once it is gone."""

import drawn_balls
import numpy as np
import pytest
from drawn_balls import TABLE, Place, frame, overhead, picture

from vision.balls import BALL_SETS
from vision.observations import Observations
from vision.observer import Observer

SNOOKER = BALL_SETS["snooker"]
GREEN = SNOOKER.kinds.index("green")
OTHERS: list[Place] = [(name, x, y) for name, (x, y) in TABLE.spots.items() if name != "green"] + [
    ("cue", 700.0, 500.0),
    ("red", 400.0, 1200.0),
]


@pytest.fixture(autouse=True, params=[(48, 128, 22), (52, 124, 22)], ids=["all of it", "a part"])
def _hardly_another_green(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """All of the ball hardly differs from the cloth, or a part of it, so that the rest isn't round."""
    monkeypatch.setitem(drawn_balls.COLOURS_BGR, "green", request.param)


def watch(places: list[tuple[float, float] | None]) -> list[Observations]:
    """The green ball at each of these places, or off the table, a picture each."""
    observer = Observer(overhead(), SNOOKER)
    films = [[*OTHERS, ("green", *place)] if place is not None else OTHERS for place in places]
    return [observer.observe(frame(index, picture(balls, seed=index))) for index, balls in enumerate(films)]


def greens(seen: Observations) -> list[np.ndarray]:
    return [xy for xy, logp in zip(seen.xy_mm, seen.identity_logp, strict=True) if int(logp.argmax()) == GREEN]


def test_a_green_ball_that_hardly_differs_is_followed_and_found_where_it_stops() -> None:
    path = [(1300.0, 1500.0 + 20.0 * min(max(i - 3, 0), 20)) for i in range(32)]
    seen = watch(path)
    found = [
        any(np.hypot(*(green - place)) < 8.0 for green in greens(one)) for one, place in zip(seen, path, strict=True)
    ]
    assert found[0] and all(found[-6:])
    assert np.mean(found) > 0.8


def test_a_green_ball_that_was_gone_is_found_on_its_spot_and_nowhere_else() -> None:
    spot = TABLE.spots["green"]
    seen = watch([*[(1300.0, 1500.0)] * 4, *[None] * 14, *[spot] * 12])
    assert not any(greens(one) for one in seen[12:18])
    (green,) = greens(seen[-1])
    assert green == pytest.approx(spot, abs=4.0)
