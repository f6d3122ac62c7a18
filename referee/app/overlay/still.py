"""``overlay.png``: a still with its balls ringed and named, and the drawn table beside it."""

from collections.abc import Sequence
from pathlib import Path

import cv2

from calibration.result import Calibration
from referee.app.overlay.drawing import OverlayArtist
from referee.app.overlay.story import Story
from vision.frames import Pixels
from vision.stills import Ball


def write_still_overlay(
    path: Path, picture: Pixels, calibration: Calibration, balls: Sequence[Ball], lang: str, game: str
) -> None:
    """As a frame of ``overlay.mp4``, without a clock."""
    artist = OverlayArtist(calibration, calibration.camera.size, Story(), lang, game)
    rows = [
        {"ball": b.name, "x": b.x, "y": b.y, "u": b.u, "v": b.v, "state": "at_rest", "visible": True} for b in balls
    ]
    cv2.imwrite(str(path), artist.draw(picture, None, rows))
