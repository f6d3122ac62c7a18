"""``cueref simulate``: clips and their truth from physics."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import click
import numpy as np
from rich.console import Console
from rich.progress import Progress

from referee.app.analyze.pool import cores
from referee.app.simulate.checks import problems
from referee.app.simulate.dynamics.events import Unsettled
from referee.app.simulate.film.film import film
from referee.app.simulate.film.overlay import Overlay
from referee.app.simulate.play.choose import SKILLS
from referee.app.simulate.play.session import Played, Session
from referee.app.simulate.recipe import Clip, read_recipes, reel_of, verdicts
from referee.app.simulate.settings import FilmSettings, SettingError, filming, table_for, varied
from referee.app.simulate.truth import shot_record, truth, write_truth


def film_recipe(clip: Clip, out: Path, jobs: int = 1) -> None:
    """Write ``NAME.mp4`` and ``NAME.truth.json`` of one recipe into a folder."""
    reel = reel_of(clip)
    how = filming(clip.film, clip.table, clip.seed, Overlay(mark=clip.film.mark))
    filmed = film(reel, how, out / f"{clip.name}.mp4", reel.t_end, jobs=jobs)
    judged = verdicts(clip, [shot_record(shot, clip.table.spec) for shot in reel.shots])
    data = truth(game=clip.game, spec=clip.table.spec, reel=reel, filmed=filmed, state=clip.state, verdicts=judged)
    write_truth(out / f"{clip.name}.truth.json", {"shows": clip.shows, **data})


def parse_size(_: click.Context, __: click.Parameter, value: str | None) -> tuple[int, int] | None:
    """``1920x1080`` as two numbers."""
    if value is None:
        return None
    found = re.fullmatch(r"(\d+)[xX×](\d+)", value)
    if not found:
        raise click.BadParameter(f"{value!r} is no size; write it like 1920x1080")
    return int(found[1]), int(found[2])


GAMES = ("snooker", "14.1", "9-ball", "8-ball", "pyramid-combined")


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game to be played and filmed: at most so many strokes, or until both sides together have so many ``points``.

    ``state``: what it starts from besides the opening layout. ``pace``: how many times as fast as usual people move
    between strokes.
    """

    game: str
    table: str | None = None
    seed: int = 0
    shots: int = 5
    points: int | None = None
    skill: str = "good"
    pace: float = 1.0
    state: Mapping[str, Any] = field(default_factory=dict)


def play_game(game: Game) -> Played:
    """The game's whole course; raises SettingError where its truth doesn't pass its own checks."""
    playing = table_for(game.game, game.table)
    rng = np.random.default_rng((game.seed, 7))
    skills = {"A": SKILLS[game.skill], "B": SKILLS[game.skill]}
    played = Session(game.game, playing, skills, rng, state=game.state, pace=game.pace).run(game.shots, game.points)
    wrong = [line for shot in played.reel.shots for line in problems(shot.roll, playing)]
    if wrong:
        raise SettingError(f"the simulated game isn't sound, take another seed: {'; '.join(wrong[:3])}")
    return played


def film_game(
    game: Game,
    settings: FilmSettings,
    out: Path,
    jobs: int = 1,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> dict[str, Any]:
    """Play and film a game; write clip.mp4, truth.json and inputs.jsonl into a folder, and return the truth."""
    playing = table_for(game.game, game.table)
    settings = replace(settings, lead_s=max(0.5, settings.lead_s / game.pace), linger_s=settings.linger_s / game.pace)
    how = filming(settings, playing, game.seed, Overlay())
    played = play_game(game)
    overlay = Overlay(captions=played.captions if settings.scoreboard else (), mark=settings.mark)
    filmed = film(
        played.reel, replace(how, overlay=overlay), out / "clip.mp4", played.reel.t_end, progress=progress, jobs=jobs
    )
    data = truth(
        game=game.game,
        spec=playing.spec,
        reel=played.reel,
        filmed=filmed,
        state=played.start,
        verdicts=played.verdicts,
    )
    write_truth(out / "truth.json", data)
    write_lines(out / "inputs.jsonl", said(played.lines))
    return data


SAID_BEFORE_S = 0.2
"""Before the strike, so that the exactness of an analysis' times doesn't matter."""


def said(lines: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """What people told the referee and when: a nomination just before its stroke, an official line after a shot."""
    found: list[Mapping[str, Any]] = []
    end = 0.0
    for line in lines:
        if line["type"] == "official":
            found.append({"t": round(end + SAID_BEFORE_S, 3), **line})
            continue
        end = line["t1"]
        if line.get("nominated"):
            t = round(line["t0"] - SAID_BEFORE_S, 3)
            found.append({"type": "nomination", "t": t, "nominated": line["nominated"]})
    return found


def write_lines(path: Path, lines: Sequence[Mapping[str, Any]]) -> None:
    """JSON Lines."""
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    path.write_text(text, encoding="utf-8")


@click.command()
@click.option("--game", type=click.Choice(GAMES), help="Play this game from its opening stroke.")
@click.option("--table", help="The table; left out: the game's usual one.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same truth.")
@click.option("--shots", type=click.IntRange(1, 1000), default=5, show_default=True, help="Stop after so many strokes.")
@click.option("--skill", type=click.Choice(tuple(SKILLS)), default="good", show_default=True, help="Of both players.")
@click.option("--points", type=click.IntRange(1), help="Stop once both sides together have so many points.")
@click.option(
    "--pace", type=click.FloatRange(0.5, 3), default=1.0, show_default=True, help="Of people between strokes."
)
@click.option("--jobs", type=click.IntRange(1), help="Processes that shoot the film. Default: one a core.")
@click.option("--clips", type=click.Path(path_type=Path), help="A recipe file; writes NAME.mp4, NAME.truth.json.")
@click.option("--only", multiple=True, metavar="NAME", help="Only this clip of the recipes; may be repeated.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="Folder to write into.")
@click.option("--fps", type=float, help="Frames per second, 5 to 240.")
@click.option("--jitter", type=float, help="Varying frame rate: steps vary by this share, 0 to 0.9.")
@click.option("--repeat", type=int, help="Every n-th frame repeats the one before it; 0: none does.")
@click.option("--size", callback=parse_size, help="Width x height in px, like 1920x1080.")
@click.option("--crf", type=int, help="H.264 quality, 0 (best) to 51.")
@click.option("--room", help="Look of table and room: broadcast, club, teal, blue, green, grey.")
@click.option("--camera-height", "camera_height_mm", type=float, help="Of the camera over the cloth, mm.")
@click.option("--tilt", "tilt_deg", type=float, help="Of the camera off the vertical, degrees.")
@click.option("--roll", "roll_deg", type=float, help="Of the picture, degrees.")
@click.option("--baulk", type=click.Choice(("left", "right", "top", "bottom")), help="Where the baulk end is seen.")
@click.option("--margin", type=float, help="Share of the picture round the table.")
@click.option("--lens", "k1", type=float, help="Radial distortion k1; negative is barrel.")
@click.option("--light", type=float, help="Brightness; 1 is normal.")
@click.option("--noise", type=float, help="Sensor noise in grey levels.")
@click.option("--shutter", "shutter_s", type=float, help="Exposure time, s: motion blur.")
@click.option("--rolling", "rows_s", type=float, help="Time from the first to the last row, s: rolling shutter.")
@click.option("--drift", type=float, help="How far the exposure wanders, as a share.")
@click.option("--player/--no-player", default=None, help="Whether people are seen at all.")
@click.option("--linger", "linger_s", type=float, help="How long the player stays down after a stroke, s.")
@click.option("--potted-stay/--no-potted-stay", default=None, help="Potted balls stay in sight in the pockets.")
@click.option("--scoreboard/--no-scoreboard", default=None, help="Lay a scoreboard over the picture.")
@click.option("--vary", is_flag=True, help="Draw camera, lens, light, room and people by the seed.")
@click.option("--nudge", "nudge_s", type=float, help="The camera is knocked at this time, s.")
def simulate(
    game: str | None,
    table: str | None,
    seed: int,
    shots: int,
    skill: str,
    points: int | None,
    pace: float,
    jobs: int | None,
    clips: Path | None,
    only: tuple[str, ...],
    out: Path,
    size: tuple[int, int] | None,
    vary: bool,
    **options: Any,
) -> None:
    """Film a physical simulation of a game, or clips of a recipe file, and write the exact truth beside them."""
    if (game is None) == (clips is None):
        raise click.UsageError("give either --game to play one or --clips with a recipe file")
    given = {name: value for name, value in options.items() if value is not None}
    if size is not None:
        given |= {"width": size[0], "height": size[1]}
    try:
        out.mkdir(parents=True, exist_ok=True)
        if clips is not None:
            _film_all(read_recipes(clips), only, out, jobs or cores())
        elif game is not None:
            settings = FilmSettings.read(given)
            if vary:
                settings = varied(settings, table_for(game, table).spec.family, seed)
            playing = Game(game=game, table=table, seed=seed, shots=shots, points=points, skill=skill, pace=pace)
            with Progress(console=Console(stderr=True)) as bar:
                task = bar.add_task("filming")
                data = film_game(
                    playing, settings, out, jobs or cores(), lambda done, of: bar.update(task, completed=done, total=of)
                )
            count = len(data["shots"])
            click.echo(
                f"{out / 'clip.mp4'}: {count} {'shot' if count == 1 else 'shots'}, {len(data['frames']['t'])} frames"
            )
    except (SettingError, Unsettled) as error:
        raise click.UsageError(str(error)) from None
    except OSError as error:
        raise click.UsageError(f"{out}: can't write ({error.strerror})") from None


def _film_all(recipes: list[Clip], only: tuple[str, ...], out: Path, jobs: int) -> None:
    unknown = set(only) - {clip.name for clip in recipes}
    if unknown:
        raise SettingError(f"no clip {', '.join(sorted(unknown))}; there are {', '.join(c.name for c in recipes)}")
    for clip in recipes:
        if not only or clip.name in only:
            film_recipe(clip, out, jobs)
            click.echo(f"{clip.name}: {clip.shows}")
