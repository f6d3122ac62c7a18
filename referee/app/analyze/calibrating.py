"""The calibration of one input: the given one, or found in pictures that all show one view."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.find import calibrate
from calibration.result import Calibration, FailedCalibration
from referee.app.analyze.inputs import Input, InputKind
from referee.app.analyze.settings import Settings
from vision.frames import Pixels, read_picture, sampled_frames

SAMPLES = 7
SAME_VIEW = 16.0
"""Two pictures whose thumbnails differ by less than so many grey levels in the mean are of one view."""

VIEWS_TRIED = 3


class NotCalibrated(Exception):
    """No table was found in an input; the message says why and what to do."""


def _thumbnail(picture: Pixels) -> NDArray[np.float64]:
    return cv2.resize(picture, (48, 27), interpolation=cv2.INTER_AREA).astype(np.float64)


def views(pictures: Sequence[Pixels]) -> list[list[Pixels]]:
    """The pictures sorted by view, the view most often seen first: a cut to another camera is a view of its own."""
    small = [_thumbnail(picture) for picture in pictures]
    groups: list[list[int]] = []
    for i, one in enumerate(small):
        for group in groups:
            alike = pictures[group[0]].shape == pictures[i].shape
            if alike and min(float(np.abs(one - small[j]).mean()) for j in group) < SAME_VIEW:
                group.append(i)
                break
        else:
            groups.append([i])
    groups.sort(key=len, reverse=True)
    return [[pictures[i] for i in group] for group in groups]


def sample_pictures(source: Input) -> list[Pixels]:
    """Pictures spread over an input; raises SourceError."""
    if source.kind is InputKind.VIDEO:
        return [frame.bgr for frame in sampled_frames(source.path, SAMPLES)]
    step = max(1, len(source.files) // SAMPLES)
    return [read_picture(path) for path in source.files[::step]]


def calibration_for(source: Input, settings: Settings) -> Calibration:
    """The table and camera of an input; raises NotCalibrated or SourceError."""
    pictures = sample_pictures(source)
    if settings.calibration is not None:
        height, width = pictures[0].shape[:2]
        if settings.calibration.camera.size != (width, height):
            made = "×".join(str(side) for side in settings.calibration.camera.size)
            raise NotCalibrated(
                f"{source.path}: the calibration given is for pictures of {made}, this one is {width}×{height}; "
                "calibrate again at this size"
            )
        return settings.calibration
    failure: FailedCalibration | None = None
    for view in views(pictures)[:VIEWS_TRIED]:
        found = calibrate(view, settings.table, points=settings.points, baulk=settings.baulk)
        if isinstance(found, Calibration):
            return found
        failure = failure or found
    assert failure is not None
    unsaid = [name for name in failure.missed if name not in failure.reason]
    missed = f" (not seen: {', '.join(unsaid)})" if unsaid else ""
    advice = "" if settings.points else "; if a table is in view, say where with --points or --calibration"
    raise NotCalibrated(f"{source.path}: {failure.reason}{missed}{advice}")
