"""The camera's calibration while it is live: found in its pictures or from points, accepted, watched for drift."""

import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from calibration.drift import drift
from calibration.find import calibrate
from calibration.points import named_points
from calibration.result import Calibration, FailedCalibration
from calibration.tables import TableSpec
from referee.app.analyze.calibrating import SAMPLES, VIEWS_TRIED, NotCalibrated, calibration_for, views
from referee.app.analyze.inputs import Input, InputKind
from referee.app.analyze.settings import Settings
from referee.app.live.sources import FileSource, Source
from vision.frames import Frame, Pixels, SourceError

SAMPLE_EVERY_S = 0.35
WAIT_S = 8.0

Latest = Callable[[], Frame | None]
Points = Mapping[str, tuple[float, float]]


def _gathered(latest: Latest) -> list[Pixels]:
    """Some pictures, as far apart as SAMPLE_EVERY_S; fewer where no more come."""
    pictures: list[Pixels] = []
    last: Frame | None = None
    began = time.monotonic()
    while len(pictures) < SAMPLES and time.monotonic() - began < WAIT_S:
        frame = latest()
        if frame is not None and frame is not last:
            if pictures and frame.bgr.shape != pictures[0].shape:
                pictures = []
            pictures.append(frame.bgr)
            last = frame
        time.sleep(SAMPLE_EVERY_S)
    return pictures


def find(
    source: Source,
    latest: Latest,
    game: str,
    table: TableSpec,
    *,
    points: Points | None = None,
    baulk: str | None = None,
) -> Calibration | FailedCalibration:
    """The calibration by the pictures that come now, or by points; of a file by all of it, as it is analyzed."""
    if isinstance(source, FileSource):
        said = dict(points) if points is not None else None
        settings = Settings(game=game, table=table, points=said, baulk=baulk)
        path = source.path
        try:
            return calibration_for(Input(kind=InputKind.VIDEO, path=path, stem=path.stem, files=(path,)), settings)
        except (NotCalibrated, SourceError) as error:
            return FailedCalibration(reason=str(error))
    if points is not None:
        frame = latest()
        if frame is None:
            return FailedCalibration(reason="the camera sends no picture")
        return calibrate([frame.bgr], table, points=points, baulk=baulk)
    pictures = _gathered(latest)
    if not pictures:
        return FailedCalibration(reason="the camera sends no picture")
    failure: FailedCalibration | None = None
    for view in views(pictures)[:VIEWS_TRIED]:
        found = calibrate(view, table, baulk=baulk)
        if isinstance(found, Calibration):
            return found
        failure = failure or found
    assert failure is not None
    return failure


def calibration_json(
    calibration: Calibration | None, phase: str, reason: str | None, table: TableSpec | None
) -> dict[str, Any]:
    """For the page that shows it: where it puts the named points, and which names there are."""
    spec = calibration.table if calibration is not None else table
    names = list(named_points(spec)) if spec is not None else []
    data: dict[str, Any] = {"phase": phase, "reason": reason, "names": names, "points": {}, "size": None}
    if calibration is not None:
        places = np.array(list(named_points(calibration.table).values()))
        seen = np.round(calibration.camera.project(places), 2).tolist()
        data["points"] = dict(zip(names, seen, strict=True))
        data |= {
            "size": list(calibration.camera.size),
            "rms_mm": round(calibration.residual_mm, 2),
            "rms_px": round(calibration.residual_px, 2),
            "found_by": calibration.found_by,
            "baulk_by": calibration.baulk_by,
            "warnings": list(calibration.warnings),
        }
    return data


class DriftWatch:
    """Looks now and then, between shots, whether the camera still stands where it was calibrated.

    `due` says when a picture is wanted, `add` takes it; when there are enough of them `look` compares. Two looks in a
    row must agree before it is said that the camera was moved.
    """

    EVERY_S, APART_S, PICTURES = 30.0, 0.5, 3

    def __init__(self) -> None:
        self._pictures: list[Pixels] = []
        self._next_s = time.monotonic() + 2.0
        self._off = 0
        self.distance_px: float | None = None
        self.moved = False

    def due(self) -> bool:
        return time.monotonic() >= self._next_s

    def add(self, frame: Frame) -> list[Pixels] | None:
        """Takes a picture; gives all of them once there are enough."""
        if self._pictures and frame.bgr.shape != self._pictures[0].shape:
            self._pictures = []
        self._pictures.append(frame.bgr)
        self._next_s = time.monotonic() + self.APART_S
        if len(self._pictures) < self.PICTURES:
            return None
        pictures, self._pictures = self._pictures, []
        self._next_s = time.monotonic() + self.EVERY_S
        return pictures

    def look(self, calibration: Calibration, pictures: list[Pixels]) -> None:
        """Takes some hundredths of a second where nothing moved, and as long as calibrating where something did."""
        seen = drift(calibration, pictures)
        if seen.distance_px is None:
            return
        self.distance_px = seen.distance_px
        self._off = 0 if seen.still else self._off + 1
        self.moved = self._off >= 2
        if self._off == 1:
            self._next_s = time.monotonic() + 2.0
