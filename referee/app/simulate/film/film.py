"""A reel on film: the picture file and what was hidden in each frame."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from calibration.camera import CameraModel
from referee.app.simulate.film.balls import Scene
from referee.app.simulate.film.encode import TIME_BASE, stamps, write_video
from referee.app.simulate.film.limbs import Dress
from referee.app.simulate.film.look import Look
from referee.app.simulate.film.markings import markings
from referee.app.simulate.film.plate import render_plate
from referee.app.simulate.film.shoot import Sensor, Studio, pictures
from referee.app.simulate.reel import Reel
from referee.app.simulate.staging import Manners, Staging
from vision.frames import Pixels


@dataclass(frozen=True, slots=True, kw_only=True)
class Filming:
    """How a reel is filmed."""

    camera: CameraModel
    look: Look
    sensor: Sensor
    fps: float
    jitter: float = 0.0
    crf: int = 23
    seed: int = 0
    manners: Manners = field(default_factory=Manners)
    dresses: Mapping[str, Dress] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filmed:
    """Times of the frames, and for each ball and frame whether more than half of it was covered."""

    times: list[float]
    hidden: dict[str, list[bool]]


def frame_times(filming: Filming, duration_s: float) -> tuple[list[int], list[float]]:
    """Presentation stamps in ticks of `TIME_BASE` and the same in seconds."""
    rng = np.random.default_rng((filming.seed, 1))
    count = max(1, int(duration_s * filming.fps))
    ticks = stamps(count, filming.fps, filming.jitter, rng)
    return ticks, [float(tick * TIME_BASE) for tick in ticks]


def film(reel: Reel, filming: Filming, path: Path, duration_s: float) -> Filmed:
    """Film a reel into a video file."""
    table = reel.table
    plate = render_plate(table, filming.camera, filming.look, np.random.default_rng((filming.seed, 2)))
    staging = Staging(reel, np.random.default_rng((filming.seed, 3)), filming.manners, filming.dresses)
    scene = Scene(
        camera=filming.camera,
        look=filming.look,
        radius=table.radius,
        nose_height=table.spec.nose_height_mm,
        opening=plate.open,
        bed=plate.bed,
        markings={name: markings(name, table.spec.family) for name in reel.paths},
    )
    studio = Studio(scene=scene, plate=plate, sensor=filming.sensor, seed=filming.seed)
    ticks, times = frame_times(filming, duration_s)
    hidden: dict[str, list[bool]] = {name: [] for name in reel.paths}

    def shown() -> Iterator[tuple[int, Pixels]]:
        for tick, picture in zip(ticks, pictures(studio, staging, times), strict=True):
            for name, row in hidden.items():
                row.append(picture.seen.get(name, 1.0) < 0.5)
            yield tick, picture.pixels

    write_video(path, shown(), size=filming.camera.size, crf=filming.crf, fps=filming.fps)
    return Filmed(times=times, hidden=hidden)
