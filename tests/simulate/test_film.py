"""The film agrees with its truth: a ball is seen where its camera says, and the stamps are those of the truth."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from calibration.camera import CameraModel
from referee.app.simulate.command import simulate
from referee.app.simulate.dynamics.motion import Physics
from referee.app.simulate.film.camera import CameraPlace, hang
from referee.app.simulate.film.encode import stamps
from referee.app.simulate.film.film import Nudge, film, nudged, takes_of
from referee.app.simulate.film.overlay import Overlay
from referee.app.simulate.play.aim import Stroke, play
from referee.app.simulate.reel import START_S, Reel, Shot
from referee.app.simulate.settings import FilmSettings, SettingError, filming, table_for
from referee.app.simulate.staging import rotation
from vision.frames import video_frames

SMALL = {"width": 480, "height": 270, "fps": 25.0, "player": False, "noise": 0.5, "crf": 12, "room": "blue"}


@pytest.mark.parametrize("baulk", ["left", "right", "top", "bottom"])
def test_the_baulk_end_is_seen_where_it_is_asked_for_and_the_picture_isnt_mirrored(baulk: str) -> None:
    table = table_for("snooker", None)
    camera = hang(CameraPlace(baulk=baulk, k1=0.0), table.spec, (1280, 720), table.rail_mm)
    bottom, top, left, right = camera.project(
        np.array([(889, 0, 0), (889, 3569, 0), (0, 1784.5, 0), (1778, 1784.5, 0)], float)
    )
    towards = {"left": (-1, 0), "right": (1, 0), "top": (0, -1), "bottom": (0, 1)}[baulk]
    assert (bottom - top) @ np.array(towards) > 100
    up, across = top - bottom, right - left
    assert across[0] * up[1] - across[1] * up[0] < 0


def test_the_whole_table_is_in_the_picture_at_any_tilt() -> None:
    table = table_for("snooker", None)
    for tilt in (0.0, 20.0, 45.0):
        camera = hang(CameraPlace(baulk="top", tilt_deg=tilt), table.spec, (1280, 720), table.rail_mm)
        corners = np.array([(x, y, 33.0) for x in (-150, 1928) for y in (-150, 3719)], float)
        uv = camera.project(corners)
        assert (uv > 0).all()
        assert (uv < (1280, 720)).all()


def test_a_moving_ball_is_filmed_where_the_truth_says(tmp_path: Path) -> None:
    """The centre of what differs from the empty cloth, against the projected path, to half a pixel."""
    table = table_for("9-ball", None)
    reel = Reel(table=table)
    layout = {"cue": (300.0, 500.0), "8": (1000.0, 2000.0)}
    for name, place in layout.items():
        reel.place(name, place, START_S, by_hand=False)
    stroke = Stroke(direction_rad=np.pi / 2, speed_mm_s=1200.0)
    roll = play(table, layout, stroke, 0.1, Physics())
    reel.add(Shot(n=1, player="A", stroke=stroke, t0=0.1, roll=roll, before=layout))
    how = filming(FilmSettings(**{**SMALL, "rows_s": 0.0}), table, 1, Overlay())
    filmed = film(reel, how, tmp_path / "clip.mp4", 1.0)
    camera: CameraModel = filmed.cameras[0][1]
    frames = list(video_frames(tmp_path / "clip.mp4"))
    assert [frame.stamp.t_s for frame in frames] == pytest.approx(filmed.times, abs=1e-9)
    for frame in (frames[0], frames[12], frames[20]):
        want = camera.project(roll.paths["cue"].state(max(frame.stamp.t_s, 0.1)).position[None])[0]
        r, c = int(want[1]), int(want[0])
        window = frame.bgr[r - 8 : r + 9, c - 8 : c + 9].astype(float).sum(axis=2)
        bright = np.clip(window - np.median(window) - 60, 0, None) > 60
        rows, columns = np.nonzero(bright)
        assert columns.mean() + c - 8 == pytest.approx(want[0], abs=0.7)
        assert rows.mean() + r - 8 == pytest.approx(want[1], abs=0.7)


def test_a_rolling_shutter_shows_all_balls_in_the_first_frame(tmp_path: Path) -> None:
    """The first row is exposed before the frame's own time."""
    table = table_for("9-ball", None)
    reel = Reel(table=table)
    places = {"cue": (1200.0, 500.0), "1": (100.0, 500.0), "2": (1200.0, 2300.0), "3": (100.0, 2300.0)}
    for name, place in places.items():
        reel.place(name, place, START_S, by_hand=False)
    how = filming(FilmSettings(**{**SMALL, "rows_s": 0.03}), table, 1, Overlay())
    filmed = film(reel, how, tmp_path / "clip.mp4", 0.1)
    first, second = (frame.bgr.astype(float) for frame in list(video_frames(tmp_path / "clip.mp4"))[:2])
    for x, y in places.values():
        u, v = filmed.cameras[0][1].project(np.array([[x, y, table.radius]]))[0].astype(int)
        part = np.s_[v - 3 : v + 4, u - 3 : u + 4]
        np.testing.assert_allclose(first[part].mean(axis=(0, 1)), second[part].mean(axis=(0, 1)), atol=6)


def test_stamps_are_even_or_vary_but_always_rise() -> None:
    rng = np.random.default_rng(2)
    assert stamps(4, 25.0, 0.0, rng) == [0, 3600, 7200, 10800]
    varying = stamps(200, 25.0, 0.8, rng)
    assert varying[0] == 0
    assert min(np.diff(varying)) > 0
    assert np.std(np.diff(varying)) > 500


def test_a_nudge_turns_the_camera_about_its_own_centre() -> None:
    table = table_for("snooker", None)
    camera = hang(CameraPlace(k1=0.0), table.spec, (1280, 720), table.rail_mm)
    after = nudged(camera, Nudge(t=1.0, tilt_px=(5.0, 0.0)))
    np.testing.assert_allclose(after.centre_mm, camera.centre_mm, atol=1e-6)
    middle = np.array([[889, 1784.5, 0.0]])
    shift = after.project(middle)[0] - camera.project(middle)[0]
    assert shift == pytest.approx((5.0, 0.0), abs=0.1)


def test_rotation_turns_by_its_length() -> None:
    quarter = rotation(np.array([0.0, 0.0, np.pi / 2]))
    np.testing.assert_allclose(quarter @ np.array([1.0, 0, 0]), [0, 1, 0], atol=1e-12)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"colour": 1}, "no film setting 'colour'"),
        ({"fps": 1000.0}, "fps must be 5 to 240, got 1000"),
        ({"width": 301}, "size must be even"),
    ],
)
def test_film_settings_name_what_is_wrong(data: dict[str, float], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        FilmSettings.read(data)


def test_the_command_writes_clip_and_the_same_truth_for_the_same_seed(tmp_path: Path) -> None:
    runner = CliRunner()
    common = ["--game", "9-ball", "--seed", "3", "--shots", "1", "--fps", "10", "--size", "320x180"]
    for name in ("one", "two"):
        result = runner.invoke(simulate, [*common, "--out", str(tmp_path / name)])
        assert result.exit_code == 0, result.output
    one, two = ((tmp_path / name / "truth.json").read_bytes() for name in ("one", "two"))
    assert one == two
    data = json.loads(one)
    assert data["count"] == 10
    assert len(data["frames"]["t"]) == sum(1 for _ in video_frames(tmp_path / "one" / "clip.mp4"))
    assert data["verdicts"][0]["game"] == "9-ball"
    again = CameraModel.from_json(data["camera"])
    assert again.size == (320, 180)


def test_the_command_says_what_is_missing() -> None:
    result = CliRunner().invoke(simulate, ["--out", "x"])
    assert result.exit_code == 2
    assert "give either --game to play one or --clips with a recipe file" in result.output


def test_two_processes_shoot_the_same_pictures_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks of two frames, a camera that is nudged and repeated frames: each picture is that of a single process."""
    table = table_for("9-ball", None)
    reel = Reel(table=table)
    layout = {"cue": (300.0, 500.0), "8": (1000.0, 2000.0)}
    for name, place in layout.items():
        reel.place(name, place, START_S, by_hand=False)
    stroke = Stroke(direction_rad=np.pi / 2, speed_mm_s=1200.0)
    roll = play(table, layout, stroke, 0.1, Physics())
    reel.add(Shot(n=1, player="A", stroke=stroke, t0=0.1, roll=roll, before=layout))
    how = filming(
        FilmSettings(width=320, height=180, fps=20.0, repeat=3, nudge_s=0.2, room="blue"), table, 1, Overlay()
    )
    monkeypatch.setattr("referee.app.simulate.film.film.CHUNK_BYTES", 2 * 3 * 320 * 180)
    times = [k / 20 for k in range(9)]
    one, two = (list(takes_of(reel, how, times, jobs)) for jobs in (1, 2))
    assert len(one) == len(two) == 9
    for (pixels, covered), (again, hidden) in zip(one, two, strict=True):
        np.testing.assert_array_equal(pixels, again)
        assert covered == hidden
    np.testing.assert_array_equal(one[3][0], one[2][0])
    assert (one[4][0] != one[3][0]).any()
