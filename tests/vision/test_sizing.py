"""Which documented size of table a picture shows."""

from dataclasses import replace

import pytest
from drawn_balls import TABLE, overhead, picture

from calibration.tables import TABLES
from vision import sizing
from vision.sizing import possible_sizes, take_apart_at_size


def test_pool_tables_of_one_shape_differ_by_the_size_of_their_balls() -> None:
    calibration = replace(overhead(), table=TABLES["pool-9ft"])
    assert sorted(possible_sizes(calibration)) == pytest.approx([2540.0 / 2336.8, 2540.0 / 1981.0])
    assert possible_sizes(replace(calibration, table=replace(TABLES["pool-9ft"], name="measured"))) == []


@pytest.mark.parametrize("shown", ["large", "small"])
def test_the_balls_tell_which_of_two_sizes_a_picture_shows(shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ball = TABLE.ball_diameter_mm / (1.0 if shown == "large" else 1.28)
    large = replace(TABLE, name="large", ball_diameter_mm=ball)
    small = replace(large, name="small", length_mm=TABLE.length_mm / 1.28, width_mm=TABLE.width_mm / 1.28)
    monkeypatch.setattr(sizing, "TABLES", {"large": large, "small": small})
    drawn = picture(
        [("red", 400.0, 1200.0), ("yellow", 1300.0, 2900.0), ("blue", 900.0, 900.0), ("cue", 700.0, 2200.0)]
    )
    scene, view, factor = take_apart_at_size(drawn, replace(overhead(), table=large))
    assert factor == pytest.approx(1.0 if shown == "large" else 1.28)
    assert view.calibration.table.ball_diameter_mm == pytest.approx(TABLE.ball_diameter_mm)
    assert (scene.score > 0.5).sum() == 4
