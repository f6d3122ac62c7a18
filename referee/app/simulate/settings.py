"""What can be set about a simulated film, from the command line or from a recipe, with one line for each mistake."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from calibration.tables import DEFAULT_TABLE, TABLES, TableSpec
from referee.app.simulate.dynamics.table import PlayingTable, playing_table
from referee.app.simulate.film.camera import CameraPlace, hang
from referee.app.simulate.film.film import Filming, Nudge
from referee.app.simulate.film.limbs import Dress
from referee.app.simulate.film.overlay import Overlay
from referee.app.simulate.film.rooms import ROOMS, room
from referee.app.simulate.film.shoot import Sensor
from referee.app.simulate.staging import Manners


class SettingError(ValueError):
    """A setting that can't be; the message says which, what was given and what is possible."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilmSettings:
    """Everything about the film but what is played. Sizes in px, times in s, heights in mm, angles in degrees.

    ``baulk`` left out: right in the picture for snooker, left else. ``room`` left out: the family's first.
    """

    width: int = 1280
    height: int = 720
    fps: float = 30.0
    jitter: float = 0.0
    repeat: int = 0
    crf: int = 23
    room: str = ""
    camera_height_mm: float = 4200.0
    tilt_deg: float = 0.0
    roll_deg: float = 0.0
    off_centre_mm: tuple[float, float] = (0.0, 0.0)
    baulk: str = ""
    margin: float = 0.06
    k1: float = -0.03
    k2: float = 0.0
    light: float = 1.0
    noise: float = 1.6
    shutter_s: float = 0.010
    rows_s: float = 0.008
    drift: float = 0.01
    blur_px: float = 0.55
    player: bool = True
    lead_s: float = 3.0
    linger_s: float = 1.1
    left_handed: bool = False
    glove: bool = False
    potted_stay: bool = False
    mark: str = ""
    scoreboard: bool = False
    nudge_s: float | None = None
    nudge_px: tuple[float, float] = (4.0, -3.0)

    def __post_init__(self) -> None:
        limits: dict[str, tuple[float, float]] = {
            "width": (160, 4096),
            "height": (120, 2304),
            "fps": (5, 240),
            "jitter": (0, 0.9),
            "crf": (0, 51),
            "light": (0.05, 3),
            "noise": (0, 40),
            "shutter_s": (0, 0.2),
            "rows_s": (0, 0.1),
            "drift": (0, 0.5),
            "blur_px": (0, 10),
            "lead_s": (0.5, 20),
            "linger_s": (0, 60),
        }
        for name, (low, high) in limits.items():
            value = getattr(self, name)
            if not low <= value <= high:
                raise SettingError(f"{name} must be {low:g} to {high:g}, got {value:g}")
        if self.width % 2 or self.height % 2:
            raise SettingError(f"size must be even in both directions, got {self.width}x{self.height}")

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "FilmSettings":
        """From names and values; raises SettingError for a name that doesn't exist or a value that can't be."""
        known = {field.name for field in fields(cls)}
        for name in data:
            if name not in known:
                raise SettingError(f"no film setting {name!r}; there are {', '.join(sorted(known))}")
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in data.items()
        }
        try:
            return cls(**values)
        except TypeError as error:
            raise SettingError(f"film settings: {error}") from None


def varied(settings: FilmSettings, family: str, seed: int) -> FilmSettings:
    """The settings with camera, lens, light, noise, room and people drawn by the seed: another owner's table."""
    rng = np.random.default_rng((seed, 13))
    low, high = (3000.0, 5200.0) if family != "pool" else (2300.0, 3800.0)
    return replace(
        settings,
        room=str(rng.choice(list(ROOMS[family]))),
        camera_height_mm=float(rng.uniform(low, high)),
        tilt_deg=float(rng.uniform(0.0, 9.0)),
        roll_deg=float(rng.uniform(-2.0, 2.0)),
        off_centre_mm=(float(rng.uniform(-70, 70)), float(rng.uniform(-90, 90))),
        baulk=str(rng.choice(["left", "right"])),
        margin=float(rng.uniform(0.02, 0.09)),
        k1=float(rng.uniform(-0.10, 0.02)),
        light=float(rng.uniform(0.7, 1.15)),
        noise=float(rng.uniform(0.8, 3.2)),
        drift=float(rng.uniform(0.0, 0.03)),
        shutter_s=float(rng.choice([0.004, 0.008, 0.012, 0.018])),
        left_handed=bool(rng.random() < 0.2),
        glove=bool(rng.random() < 0.4),
        potted_stay=bool(rng.random() < 0.3),
    )


def table_for(game: str, name: str | None) -> PlayingTable:
    """The table of that name, or the game's usual one; raises SettingError."""
    if game not in DEFAULT_TABLE:
        raise SettingError(f"no game {game!r}; choose one of {', '.join(DEFAULT_TABLE)}")
    name = name or DEFAULT_TABLE[game]
    if name not in TABLES:
        raise SettingError(f"no table {name!r}; choose one of {', '.join(TABLES)}")
    usual = TABLES[DEFAULT_TABLE[game]].family
    if TABLES[name].family != usual:
        raise SettingError(f"{game} isn't played on {name}; choose a {usual} table")
    return playing_table(TABLES[name])


SKINS = ((206, 152, 122), (222, 172, 142), (150, 100, 74), (98, 64, 46))
CLOTHES = ((24, 22, 28), (228, 228, 230), (86, 40, 56), (40, 52, 84), (60, 62, 60))
HAIRS = ((44, 30, 22), (22, 18, 16), (120, 84, 46), (140, 134, 128))


def dresses(seed: int) -> dict[str, Dress]:
    """How the two players and the referee look; the same for the same seed."""
    rng = np.random.default_rng((seed, 11))

    def pick(choices: tuple[tuple[int, int, int], ...]) -> tuple[int, int, int]:
        return choices[int(rng.integers(len(choices)))]

    found = {}
    for name in ("A", "B"):
        sleeve = pick(CLOTHES)
        shirt = sleeve if rng.random() < 0.5 else CLOTHES[0]
        found[name] = Dress(skin=pick(SKINS), sleeve=sleeve, shirt=shirt, hair=pick(HAIRS))
    found["referee"] = Dress(skin=pick(SKINS), sleeve=(24, 24, 26), glove=(236, 236, 238))
    return found


def filming(settings: FilmSettings, table: PlayingTable, seed: int, overlay: Overlay) -> Filming:
    """The film's camera, room and people; raises SettingError."""
    spec: TableSpec = table.spec
    size = (settings.width, settings.height)
    try:
        place = CameraPlace(
            height_mm=settings.camera_height_mm,
            tilt_deg=settings.tilt_deg,
            roll_deg=settings.roll_deg,
            off_centre_mm=settings.off_centre_mm,
            baulk=settings.baulk or ("right" if spec.family == "snooker" else "left"),
            margin=settings.margin,
            k1=settings.k1,
            k2=settings.k2,
        )
        look = room(settings.room or next(iter(ROOMS[spec.family])), spec)
    except ValueError as error:
        raise SettingError(str(error)) from None
    nudge = None if settings.nudge_s is None else Nudge(t=settings.nudge_s, tilt_px=settings.nudge_px, roll_deg=0.15)
    return Filming(
        camera=hang(place, spec, size, table.rail_mm),
        look=look,
        sensor=Sensor(
            shutter_s=settings.shutter_s,
            rows_s=settings.rows_s,
            noise=settings.noise,
            blur_px=settings.blur_px * max(1.0, settings.width / 1280) if settings.blur_px else 0.0,
            drift=settings.drift,
            gain=settings.light,
        ),
        fps=settings.fps,
        jitter=settings.jitter,
        repeat=settings.repeat,
        crf=settings.crf,
        seed=seed,
        manners=Manners(
            present=settings.player,
            lead_s=settings.lead_s,
            linger_s=settings.linger_s,
            left_handed=settings.left_handed,
            glove=settings.glove,
            potted_stay=settings.potted_stay,
        ),
        dresses=dresses(seed),
        overlay=overlay,
        nudge=nudge,
    )
