"""A reel on film: the picture file, and what was hidden in each frame."""

import signal
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import get_context
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

CHUNK_BYTES = 32 << 20
"""So much of pictures a process shoots before it hands them over."""


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


def cameras_of(filming: Filming) -> list[tuple[float, CameraModel]]:
    """The cameras in force, each from its time on."""
    cameras = [(0.0, filming.camera)]
    if filming.nudge is not None:
        cameras.append((filming.nudge.t, nudged(filming.camera, filming.nudge)))
    return cameras


Take = tuple[Pixels, frozenset[str]]
"""A picture and the names of the balls that are covered in it by more than half."""


class Shoot:
    """All that is needed to shoot any frame of a film; what a frame shows doesn't depend on the frames shot before."""

    def __init__(self, reel: Reel, filming: Filming, times: list[float]) -> None:
        self.filming, self.times, self.names = filming, times, tuple(reel.paths)
        self.staging = Staging(reel, np.random.default_rng((filming.seed, 3)), filming.manners, filming.dresses)
        self.studios = [(t, _studio(reel, filming, camera)) for t, camera in cameras_of(filming)]

    def chunk(self, start: int, stop: int) -> list[Take]:
        """The frames from ``start`` up to ``stop``."""
        takes: list[Take] = []
        shot = -1
        for index in range(start, stop):
            source = self._source(index)
            if source != shot:
                takes.append(self._take(source))
                shot = source
            else:
                takes.append(takes[-1])
        return takes

    def _source(self, index: int) -> int:
        """The frame that a frame shows: itself, or the one before it where that is repeated."""
        while self.filming.repeat and index and index % self.filming.repeat == 0:
            index -= 1
        return index

    def _take(self, index: int) -> Take:
        t = self.times[index]
        studio = next(studio for start, studio in reversed(self.studios) if t >= start)
        picture = studio.shoot(self.staging, t, index)
        covered = frozenset(name for name in self.names if picture.seen.get(name, 1.0) < 0.5)
        return self.filming.overlay.draw(picture.pixels, t), covered


_shoot: Shoot | None = None


def _begin(reel: Reel, filming: Filming, times: list[float]) -> None:
    """In a process of its own: an interrupt is the parent's to handle, and each process keeps to its core."""
    global _shoot
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    cv2.setNumThreads(1)
    _shoot = Shoot(reel, filming, times)


def _chunk(start: int, stop: int) -> list[Take]:
    assert _shoot is not None
    return _shoot.chunk(start, stop)


def takes_of(reel: Reel, filming: Filming, times: list[float], jobs: int) -> Iterator[Take]:
    """The frames at these times in order; with ``jobs`` of more than one, shot by so many processes in turns."""
    size = filming.camera.size
    length = max(1, CHUNK_BYTES // (3 * size[0] * size[1]))
    spans = [(start, min(start + length, len(times))) for start in range(0, len(times), length)]
    jobs = min(jobs, len(spans))
    if jobs <= 1:
        shoot = Shoot(reel, filming, times)
        for start, stop in spans:
            yield from shoot.chunk(start, stop)
        return
    executor = ProcessPoolExecutor(
        jobs, mp_context=get_context("spawn"), initializer=_begin, initargs=(reel, filming, times)
    )
    try:
        todo = iter(spans)
        running = deque(executor.submit(_chunk, *span) for span in islice(todo, jobs + 1))
        while running:
            takes = running.popleft().result()
            running.extend(executor.submit(_chunk, *span) for span in islice(todo, 1))
            yield from takes
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def film(
    reel: Reel,
    filming: Filming,
    path: Path,
    duration_s: float,
    progress: Callable[[int, int], None] = lambda done, of: None,
    jobs: int = 1,
) -> Filmed:
    """Film a reel into a video file with ``jobs`` processes; ``progress`` is told how many of the frames are done."""
    ticks, times = frame_times(filming, duration_s)
    hidden: dict[str, list[bool]] = {name: [] for name in reel.paths}

    def shown() -> Iterator[tuple[int, Pixels]]:
        for index, (pixels, covered) in enumerate(takes_of(reel, filming, times, jobs)):
            for name, row in hidden.items():
                row.append(name in covered)
            yield ticks[index], pixels
            progress(index + 1, len(times))

    write_video(path, shown(), size=filming.camera.size, crf=filming.crf, fps=filming.fps)
    return Filmed(times=times, hidden=hidden, cameras=cameras_of(filming))
