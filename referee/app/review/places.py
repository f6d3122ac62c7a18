"""The places that a distance is measured between, from what a request names."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from calibration.result import Calibration
from referee.app.review.errors import NotThere, ReviewError
from referee.app.review.footage import Shown
from referee.app.review.measure import CLICKED_PX, Place, Point, TableLine, centre_sigma, line_of, mm_per_px
from referee.app.review.review import Review
from referee.app.review.words import Words, each_language, same_in_all
from referee.app.words import LANGUAGES, ball_words
from tracking.records import ShotRecord
from tracking.tracks import ON_TABLE
from vision.balls import BALL_SETS
from vision.stills import detect_balls

WHERE: dict[str, dict[str, str]] = {
    "before": {"en": "{ball} before shot {n}", "ru": "{ball} перед ударом {n}"},
    "after": {"en": "{ball} after shot {n}", "ru": "{ball} после удара {n}"},
    "spot": {"en": "{spot} spot", "ru": "точка: {spot}"},
    "hidden": {"en": "{ball} (hidden in this frame)", "ru": "{ball} (в этом кадре не виден)"},
    "pointed": {"en": "the ball pointed at ({ball})", "ru": "указанный шар ({ball})"},
    "clicked": {"en": "the marked point", "ru": "отмеченная точка"},
}
EVEN_PX = 1
"""Coded again, a video may lack an odd last row or column."""
SPOTS_RU = {"head_spot": "передняя", "centre_spot": "центральная", "foot_spot": "задняя"}


def calibrated(review: Review, size: tuple[int, int] | None = None) -> Calibration:
    """The calibration of pictures of this size (px). Raises ReviewError where there is none."""
    calibration = review.calibration
    if calibration is None:
        raise ReviewError(f"{review.title}: without a calibration nothing can be drawn or measured")
    wanted = calibration.camera.size
    if size is not None and any(abs(a - b) > EVEN_PX for a, b in zip(size, wanted, strict=True)):
        given, known = ("×".join(map(str, each)) for each in (size, wanted))
        raise ReviewError(f"{review.title}: the picture has {given} px, the calibration is for {known}")
    return calibration


def place_of(review: Review, shown: Shown, said: Mapping[str, Any]) -> Place | TableLine:
    """One of ``{"ball"}`` (as it lies in the frame; with ``shot`` and ``when``: before or after that shot), ``{"at"}``
    in mm, ``{"px"}`` on the cloth (with ``as_ball``: the ball that is seen there, whatever it was taken for),
    ``{"spot"}``, ``{"line"}``. Raises NotThere, ReviewError."""
    calibration = calibrated(review)
    if said.get("line") is not None:
        return line_of(calibration.table, said["line"])
    if said.get("spot") is not None:
        return _spot(calibration, said["spot"])
    if said.get("px") is not None:
        return (
            _pointed(review, calibration, shown, said["px"])
            if said.get("as_ball")
            else _clicked(calibration, said["px"])
        )
    if said.get("at") is not None:
        x, y = said["at"]
        return Place(name=same_in_all(f"({x:.0f}, {y:.0f})"), x_mm=x, y_mm=y, z_mm=0.0, sigma_mm=0.0, seen=False)
    ball = said.get("ball")
    if ball is None:
        raise ReviewError("place: expected one of ball, at, px, spot, line")
    if said.get("shot") is not None:
        return _ball_at_rest(review, calibration, ball, review.record(said["shot"]), said.get("when") or "before")
    return _ball_at(review, calibration, ball, shown.t_s)


def _spot(calibration: Calibration, name: str) -> Place:
    spots = calibration.table.spots
    if name not in spots:
        raise ReviewError(f"spot: expected one of {', '.join(spots)}, got {name!r}")
    x, y = spots[name]
    words = {"en": name.removesuffix("_spot").replace("_", " "), "ru": SPOTS_RU.get(name, ball_words(name, "ru"))}
    return Place(name=each_language(WHERE["spot"], spot=words), x_mm=x, y_mm=y, z_mm=0.0, sigma_mm=0.0, seen=False)


def _clicked(calibration: Calibration, px: tuple[float, float]) -> Place:
    x, y = calibration.camera.on_plane(np.array([px]), 0.0)[0]
    at = float(x), float(y)
    sigma = CLICKED_PX * mm_per_px(calibration, at, 0.0)
    return Place(name=WHERE["clicked"], x_mm=at[0], y_mm=at[1], z_mm=0.0, sigma_mm=sigma, seen=True)


def _pointed(review: Review, calibration: Calibration, shown: Shown, px: tuple[float, float]) -> Place:
    """The ball that is seen in the picture there, found anew in it. Raises NotThere."""
    found = detect_balls(shown.frame.bgr, calibration, BALL_SETS[review.game])
    near = min(found, key=lambda each: math.dist((each.u, each.v), px), default=None)
    if near is None or math.dist((near.u, near.v), px) > near.r:
        raise NotThere("no ball is seen at that point of the picture")
    words = {lang: ball_words(near.name, lang) for lang in LANGUAGES}
    return _ball(calibration, each_language(WHERE["pointed"], ball=words), near.name, (near.x, near.y), None)


def _ball(calibration: Calibration, name: Words, ball: str, at: Point, track_sigma_mm: float | None) -> Place:
    return Place(
        name=name,
        x_mm=at[0],
        y_mm=at[1],
        z_mm=calibration.table.ball_radius_mm,
        sigma_mm=centre_sigma(calibration, at, track_sigma_mm),
        seen=True,
        ball=ball,
    )


def _ball_at(review: Review, calibration: Calibration, ball: str, t_s: float) -> Place:
    """In the frame shown then; between shots, where no tracks are kept, where it came to rest."""
    words = {lang: ball_words(ball, lang) for lang in LANGUAGES}
    row = next((each for each in review.rows_at(t_s) if each["ball"] == ball), None)
    if row is not None and row["state"] in ON_TABLE and row["x"] is not None:
        name = words if row["visible"] else each_language(WHERE["hidden"], ball=words)
        return _ball(calibration, name, ball, (row["x"], row["y"]), row["sigma"])
    at = None if row is not None else _resting(review, ball, t_s)
    if at is None:
        raise NotThere(f"{ball} isn't on the table at {t_s:.3f} s")
    return _ball(calibration, words, ball, at, None)


def _resting(review: Review, ball: str, t_s: float) -> Point | None:
    """Where a ball lay at rest, by the shots about this time; None while a shot ran."""
    shots = [*review.in_short()]
    earlier = [each["n"] for each in shots if each["t1"] <= t_s]
    later = [each["n"] for each in shots if each["t0"] >= t_s]
    if len(earlier) + len(later) < len(shots):
        return None
    places = review.record(earlier[-1]).after if earlier else review.record(later[0]).before if later else None
    return None if places is None else places.get(ball)


def _ball_at_rest(review: Review, calibration: Calibration, ball: str, record: ShotRecord, when: str) -> Place:
    places = record.after if when == "after" else record.before
    at = None if places is None else places.get(ball)
    if at is None:
        raise NotThere(f"{ball} isn't on the table {when} shot {record.n}")
    t_s = record.t1 if when == "after" else record.t0
    row = next((each for each in review.rows_at(t_s) if each["ball"] == ball), None)
    words = {lang: ball_words(ball, lang) for lang in LANGUAGES}
    name = each_language(WHERE["after" if when == "after" else "before"], ball=words, n=record.n)
    return _ball(calibration, name, ball, at, None if row is None else row["sigma"])
