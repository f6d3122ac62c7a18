"""A reel on film: the picture file, and what was hidden in each frame."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from calibration.camera import CameraModel
from referee.app.simulate.film.balls import Scene
from referee.app.simulate.film.encode import TIME_BASE, stamps, write_video
from referee.app.simulate.film.limbs import Dress
from referee.app.simulate.film.look import Look
from referee.app.simulate.film.markings import markings
from referee.app.simulate.film.overlay import Overlay
from referee.app.simulate.film.plate import render_plate
from referee.app.simulate.film.shoot import Sensor, Studio
from referee.app.simulate.reel import Reel
from referee.app.simulate.staging import Manners, Staging
from vision.frames import Pixels


@dataclass(frozen=True, slots=True, kw_only=True)
class Nudge:
    """Somebody knocks against the camera at ``t``: it turns by ``tilt_px`` (right, down) and ``roll_deg`` for good."""

    t: float
    tilt_px: tuple[float, float]
    roll_deg: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Filming:
    """How a reel is filmed. Every ``repeat``-th frame shows the one before it again (0: none does)."""

    camera: CameraModel
    look: Look
    sensor: Sensor
    fps: float
    jitter: float = 0.0
    repeat: int = 0
    crf: int = 23
    seed: int = 0
    manners: Manners = field(default_factory=Manners)
    dresses: Mapping[str, Dress] = field(default_factory=dict)
    overlay: Overlay = field(default_factory=Overlay)
    nudge: Nudge | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Filmed:
    """Times of the frames, for each ball and frame whether more than half of it was covered, and the cameras in force,
    each from its time on.
    """

    times: list[float]
    hidden: dict[str, list[bool]]
    cameras: list[tuple[float, CameraModel]]


def frame_times(filming: Filming, duration_s: float) -> tuple[list[int], list[float]]:
    """Presentation stamps in ticks of `TIME_BASE` and the same in seconds."""
    rng = np.random.default_rng((filming.seed, 1))
    count = max(1, int(duration_s * filming.fps))
    ticks = stamps(count, filming.fps, filming.jitter, rng)
    return ticks, [float(tick * TIME_BASE) for tick in ticks]


def nudged(camera: CameraModel, nudge: Nudge) -> CameraModel:
    """The camera after a nudge: turned about its own centre."""
    right, down = (float(px) / float(camera.matrix[0, 0]) for px in nudge.tilt_px)
    turn = cv2.Rodrigues(np.array([-down, right, np.radians(nudge.roll_deg)]))[0]
    return CameraModel(
        matrix=camera.matrix,
        distortion=camera.distortion,
        rotation=turn @ camera.rotation,
        translation=turn @ camera.translation,
        size=camera.size,
    )


def _studio(reel: Reel, filming: Filming, camera: CameraModel) -> Studio:
    table = reel.table
    plate = render_plate(table, camera, filming.look, np.random.default_rng((filming.seed, 2)))
    scene = Scene(
        camera=camera,
        look=filming.look,
        radius=table.radius,
        nose_height=table.spec.nose_height_mm,
        opening=plate.open,
        bed=plate.bed,
        markings={name: markings(name, table.spec.family) for name in reel.paths},
    )
    return Studio(scene=scene, plate=plate, sensor=filming.sensor, seed=filming.seed)


def film(
    reel: Reel,
    filming: Filming,
    path: Path,
    duration_s: float,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> Filmed:
    """Film a reel into a video file; ``progress`` is told how many of the frames are done."""
    rng = np.random.default_rng((filming.seed, 3))
    staging = Staging(reel, rng, filming.manners, filming.dresses)
    cameras = [(0.0, filming.camera)]
    if filming.nudge is not None:
        cameras.append((filming.nudge.t, nudged(filming.camera, filming.nudge)))
    studios = [(t, _studio(reel, filming, camera)) for t, camera in cameras]
    ticks, times = frame_times(filming, duration_s)
    hidden: dict[str, list[bool]] = {name: [] for name in reel.paths}

    def shown() -> Iterator[tuple[int, Pixels]]:
        last: Pixels | None = None
        for index, (tick, t) in enumerate(zip(ticks, times, strict=True)):
            studio = next(studio for start, studio in reversed(studios) if t >= start)
            if last is None or not filming.repeat or index % filming.repeat:
                picture = studio.shoot(staging, t, index)
                seen = picture.seen
                last = filming.overlay.draw(picture.pixels, t)
            for name, row in hidden.items():
                row.append(seen.get(name, 1.0) < 0.5)
            yield tick, last
            progress(index + 1, len(times))

    write_video(path, shown(), size=filming.camera.size, crf=filming.crf, fps=filming.fps)
    return Filmed(times=times, hidden=hidden, cameras=cameras)
