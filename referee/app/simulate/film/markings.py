"""What is painted on the balls, as a function of the direction from the ball's centre.

A ball's own z axis goes through its number; a stripe runs round the equator of its own x axis.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.camera import Array
from referee.app.simulate.film.look import POOL_BALLS, PYRAMID_BALLS, SNOOKER_BALLS, Floats, linear

NUMBER_SINE = 0.42
"""Sine of the angle from a number's centre to the edge of its white disc."""
STRIPE_HALF = 0.56
"""Half width of a stripe in ball radii."""
IVORY = (240, 234, 212)


@dataclass(frozen=True, slots=True, kw_only=True)
class Markings:
    """One ball's paint: base colour, stripe colour or None, and the number's picture (n, n) 0 … 1 or None."""

    base: Floats
    stripe: Floats | None = None
    number: Floats | None = None
    disc: Floats | None = None

    def colours(self, directions: Array) -> Floats:
        """(n, 3) albedo at unit vectors (n, 3) in the ball's own axes."""
        n = len(directions)
        colour = np.broadcast_to(self.base, (n, 3)).astype(np.float32)
        if self.stripe is not None:
            band = np.clip((STRIPE_HALF - np.abs(directions[:, 0])) / 0.03 + 0.5, 0, 1)[:, None].astype(np.float32)
            colour = colour * (1 - band) + self.stripe * band
        if self.number is not None and self.disc is not None:
            colour = self._numbered(directions, colour)
        return colour

    def _numbered(self, directions: Array, colour: Floats) -> Floats:
        assert self.number is not None and self.disc is not None
        across = directions[:, :2]
        off = np.sqrt((across * across).sum(axis=1))
        disc = np.clip((NUMBER_SINE - off) / 0.03 + 0.5, 0, 1)[:, None].astype(np.float32)
        colour = colour * (1 - disc) + self.disc * disc
        side = len(self.number)
        u = ((across[:, 0] * np.sign(directions[:, 2]) / NUMBER_SINE + 1) / 2 * (side - 1)).astype(np.float32)
        v = ((1 - across[:, 1] / NUMBER_SINE) / 2 * (side - 1)).astype(np.float32)
        ink = cv2.remap(self.number, u[None], v[None], cv2.INTER_LINEAR, borderValue=0)[0][:, None]
        return np.asarray(colour * (1 - ink * disc) + linear((18, 18, 20)) * ink * disc, np.float32)


def _digits(text: str) -> Floats:
    picture = np.zeros((64, 64), np.uint8)
    scale = 1.5 if len(text) == 1 else 1.1
    (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, 4)
    cv2.putText(picture, text, ((64 - w) // 2, (64 + h) // 2), cv2.FONT_HERSHEY_SIMPLEX, scale, 255, 4, cv2.LINE_AA)
    return picture.astype(np.float32) / 255.0


def markings(name: str, family: str) -> Markings:
    """The paint of a ball by its name (contract names)."""
    if family == "snooker":
        return Markings(base=linear(SNOOKER_BALLS[name.split("-")[0]]))
    if family == "pyramid":
        if name == "cue":
            return Markings(base=linear(PYRAMID_BALLS["cue"]))
        ivory = linear(PYRAMID_BALLS["ball"])
        return Markings(base=ivory, number=_digits(name.split("-")[1]), disc=ivory)
    if name == "cue":
        return Markings(base=linear(POOL_BALLS["cue"]))
    number = int(name)
    ivory = linear(IVORY)
    if number <= 8:
        return Markings(base=linear(POOL_BALLS[name]), number=_digits(name), disc=ivory)
    return Markings(base=ivory, stripe=linear(POOL_BALLS[str(number - 8)]), number=_digits(name), disc=ivory)
