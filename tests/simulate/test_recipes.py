"""Every clip of the sample folder shows what its recipe promises, and its truth passes its own checks."""

import json
from pathlib import Path

import pytest

from referee.app.simulate.checks import problems
from referee.app.simulate.recipe import Clip, read_recipes, reel_of
from referee.app.simulate.settings import SettingError
from referee.app.simulate.truth import shot_record

SAMPLES = Path(__file__).parents[2] / "sample_videos"
RECIPES = SAMPLES / "recipes.toml"
CLIPS = read_recipes(RECIPES)


def described(event: dict[str, object]) -> str:
    names = [event.get("ball"), *(event.get("balls") or []), event.get("over"), event.get("cushion")]  # type: ignore[misc]
    names += [event.get("pocket"), event.get("cause")]
    return " ".join([str(event["kind"]), *(str(name) for name in names if name is not None)])


@pytest.mark.parametrize("clip", CLIPS, ids=lambda clip: str(clip.name))
def test_a_clip_shows_what_it_promises_and_its_truth_is_sound(clip: Clip) -> None:
    reel = reel_of(clip)
    records = [shot_record(shot, clip.table.spec) for shot in reel.shots]
    happened = [described(event) for record in records for event in record["events"]]
    assert [what for what in clip.expect if what not in happened] == []
    for shot in reel.shots:
        assert problems(shot.roll, clip.table) == []
    for record in records:
        times = [event["t"] for event in record["events"]]
        assert times == sorted(times)


@pytest.mark.parametrize("clip", CLIPS, ids=lambda clip: str(clip.name))
def test_the_truth_that_is_kept_beside_a_clip_is_that_of_its_recipe(clip: Clip) -> None:
    kept = json.loads((SAMPLES / f"{clip.name}.truth.json").read_text(encoding="utf-8"))
    shots = [shot_record(shot, clip.table.spec) for shot in reel_of(clip).shots]
    assert kept["shots"] == json.loads(json.dumps(shots))
    assert (SAMPLES / f"{clip.name}.mp4").stat().st_size < 400_000


def test_a_recipe_with_a_mistake_is_named(tmp_path: Path) -> None:
    path = tmp_path / "recipes.toml"
    path.write_text('[[clip]]\nname = "x"\nshows = "y"\ngame = "snooker"\nballs = {}\n', encoding="utf-8")
    with pytest.raises(SettingError, match="clip 'x': lacks 'step'"):
        read_recipes(path)
    path.write_text('[[clip]]\nname = "x"\nshows = "y"\ngame = "chess"\nballs = {}\nstep = []\n', encoding="utf-8")
    with pytest.raises(SettingError, match="no game 'chess'; choose one of snooker"):
        read_recipes(path)
