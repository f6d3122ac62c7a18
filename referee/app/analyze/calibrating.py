"""The calibration of one input: the given one, or found in pictures that all show one view."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from calibration.drift import drift
from calibration.find import calibrate
from calibration.pictures import difference, thumbnail
from calibration.result import Calibration, FailedCalibration
from referee.app.analyze.inputs import Input, InputKind
from referee.app.analyze.settings import Settings
from vision.frames import Pixels, read_picture, sampled_frames

SAMPLES = 7
SAME_VIEW = 16.0
"""Two pictures whose thumbnails differ by less than so many grey levels in the mean are of one view."""

VIEWS_TRIED = 3
REFUSED_PX = 8.0
"""A given calibration farther off than this, at 1280 px wide, is refused."""


class NotCalibrated(Exception):
    """No table was found in an input; the message says why and what to do."""


def views(pictures: Sequence[Pixels]) -> list[list[Pixels]]:
    """The pictures sorted by view, the view most often seen first: a cut to another camera is a view of its own."""
    small = [thumbnail(picture, (48, 27)) for picture in pictures]
    groups: list[list[int]] = []
    for i, one in enumerate(small):
        for group in groups:
            alike = pictures[group[0]].shape == pictures[i].shape
            if alike and any(difference(one, small[j]) < SAME_VIEW for j in group):
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


def _opening(source: Input) -> list[Pixels]:
    """A clip's first picture, in which a rack may still stand; raises SourceError."""
    if source.kind is InputKind.STILL:
        return []
    return [frame.bgr for frame in islice(source.frames(), 1)]


def _checked(source: Input, calibration: Calibration, view: Sequence[Pixels]) -> Calibration:
    """A given calibration with a warning where it may not fit the pictures; raises NotCalibrated where it doesn't."""
    seen = drift(calibration, view)
    if seen.distance_px is None:
        doubt = "whether the calibration given fits can't be told: no table was found to compare with"
    elif not seen.still:
        off = f"the calibration given puts the table {seen.distance_px:.1f} px off where it is seen"
        far = seen.distance_px > REFUSED_PX * max(1.0, view[0].shape[1] / 1280)
        if far and calibration.found_by != "points":
            raise NotCalibrated(f"{source.path}: {off}; the camera was moved, or it is another one: calibrate again")
        doubt = f"{off}; positions and verdicts may be wrong: calibrate again"
    else:
        return calibration
    return replace(calibration, warnings=(*calibration.warnings, doubt))


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
        return _checked(source, settings.calibration, views(pictures)[0])
    opening = _opening(source) if settings.table.family != "snooker" else []
    failure: FailedCalibration | None = None
    for view in views(pictures)[:VIEWS_TRIED]:
        found = calibrate(view, settings.table, points=settings.points, baulk=settings.baulk, opening=opening)
        if isinstance(found, Calibration):
            return found
        failure = failure or found
    assert failure is not None
    unsaid = [name for name in failure.missed if name not in failure.reason]
    missed = f" (not seen: {', '.join(unsaid)})" if unsaid else ""
    advice = "" if settings.points else "; if a table is in view, say where with --points or --calibration"
    raise NotCalibrated(f"{source.path}: {failure.reason}{missed}{advice}")
