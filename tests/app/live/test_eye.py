"""What the server asks of the eye: calibrations proposed and accepted, one table's for another's, matches let go."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from calibration.result import Calibration, FailedCalibration
from calibration.tables import TABLES
from referee.app.live.eye import Eye, NothingToAccept, fits, game_and_table
from referee.app.live.reader import Reader
from referee.app.live.sources import FileSource
from referee.app.live.space import protected
from referee.app.live.state import Status
from tests.app.live.misbehaving import until
from tests.app.live.test_recorder import write_film

SAMPLES = Path(__file__).parents[3] / "sample_videos"
SNOOKER = TABLES["snooker-12ft"]


class Desk:
    """What the eye tells of a match."""

    def __init__(self, folder: Path, game: str = "snooker") -> None:
        self.folder, self.header = folder, {"game": game}
        self.told: list[str] = []

    def __getattr__(self, name: str) -> Callable[..., None]:
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *args, **more: self.told.append(name)


@pytest.fixture
def eyes() -> Iterator[Callable[..., Eye]]:
    made = []

    def make(clip: Path, **how: Any) -> Eye:
        source = FileSource(path=clip, speed=float("inf"))
        eye = Eye(source, reader=Reader(source), **how)
        made.append(eye)
        eye.start()
        return eye

    yield make
    for eye in made:
        eye.stop()


@pytest.fixture(scope="module")
def rattle() -> Path:
    return SAMPLES / "rattle.mp4"


def test_a_calibration_is_proposed_by_the_picture_or_by_points_and_used_once_it_is_accepted(
    eyes: Callable[..., Eye], rattle: Path, tmp_path: Path
) -> None:
    eye = eyes(rattle)
    with pytest.raises(NothingToAccept, match="no calibration was found yet: look for the table, or drag its marks"):
        eye.accept()
    assert until(lambda: eye.state().status is Status.WAITING)
    shown = eye.picture()
    assert shown is not None
    found = eye.find("snooker", SNOOKER)
    assert isinstance(found, Calibration)
    data = eye.calibration_json()
    assert data["phase"] == "found"
    assert data["size"] == list(shown.size)
    assert set(data["points"]) == set(data["names"])
    assert eye.calibration is None
    # its own marks, given back as points, make the same camera
    corners = {
        name: tuple(data["points"][name]) for name in data["names"] if name.startswith(("bottom", "top", "middle"))
    }
    again = eye.use_points(corners, "snooker", SNOOKER)
    assert isinstance(again, Calibration)
    assert again.found_by == "points"
    assert eye.proposed is again
    desk = Desk(tmp_path)
    eye.watch(desk, tmp_path)
    assert not until(lambda: "calibrated" in desk.told, 0.4)
    assert eye.accept() is again
    assert eye.calibration_json()["phase"] == "accepted"
    assert until(lambda: eye.state().status is Status.ENDED)
    eye.rest()
    told = len(desk.told)
    assert desk.told.count("calibrated") == 1
    assert "record" in desk.told
    assert until(lambda: eye.state().status is Status.WAITING)
    assert len(desk.told) == told


def test_where_no_table_is_found_the_reason_is_said_and_nothing_is_watched(
    eyes: Callable[..., Eye], tmp_path: Path
) -> None:
    eye = eyes(write_film(tmp_path / "grey.mp4", 30), auto=True)
    desk = Desk(tmp_path)
    eye.watch(desk, tmp_path)
    assert until(lambda: eye.calibration_json()["phase"] == "failed")
    assert "no table found" in eye.state().said
    found = eye.find("snooker", SNOOKER)
    assert isinstance(found, FailedCalibration)
    assert eye.state().status is Status.WAITING
    assert set(desk.told) <= {"source"}


@pytest.mark.parametrize(
    ("header", "table"),
    [
        ({"game": "snooker"}, SNOOKER),
        ({"game": "9-ball", "table": "pool-7ft"}, TABLES["pool-7ft"]),
    ],
)
def test_the_log_says_which_table_is_played_on(header: Mapping[str, Any], table: Any) -> None:
    assert game_and_table(header)[1] == table


def test_a_measured_table_is_one_too() -> None:
    measures = {"length": 1881.0, "width": 943.0, "ball_diameter": 52.3}
    _, table = game_and_table({"game": "snooker", "table": measures})
    assert (table.length_mm, table.width_mm, table.ball_diameter_mm) == (1881.0, 943.0, 52.3)


def test_a_calibration_serves_only_for_tables_of_its_size() -> None:
    assert fits(SNOOKER, SNOOKER)
    assert fits(TABLES["pool-9ft"], TABLES["pool-9ft"])
    assert not fits(TABLES["pool-9ft"], TABLES["pool-8ft"])
    assert not fits(SNOOKER, TABLES["pyramid-12ft"])


def test_a_span_that_is_marked_is_kept_with_some_time_around_it(
    eyes: Callable[..., Eye], rattle: Path, tmp_path: Path
) -> None:
    eye = eyes(rattle)
    eye.protect(3, 20.0, 25.0)
    eye.watch(Desk(tmp_path / "m"), tmp_path / "m")
    eye.protect(3, 20.0, 25.0)
    assert protected(tmp_path / "m" / "video") == [(10.0, 27.0)]
