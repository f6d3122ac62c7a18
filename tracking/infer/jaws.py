"""Touches between the jaws of a pocket: which cushions' noses a ball met, by the sides to which it was turned.

A corner's jaw turns away from its cushion: the top cushion's by the top right pocket throws a ball down and to the
right, the right cushion's up and to the left. So a ball that is turned both down and to the left in one kink has met
both. A middle pocket's two jaws belong to one cushion.
"""

import numpy as np

from tracking.geometry import Mouth
from tracking.infer.evidence import Evidence
from tracking.paths import Kink
from tracking.records import CUSHIONS, Cushion

AXIS = {"left": (0, -1.0), "right": (0, 1.0), "bottom": (1, -1.0), "top": (1, 1.0)}
"""Axis and direction in which a ball runs into each cushion."""

LEAST_TURN = 80.0
"""A jaw turns a ball by more than this, mm/s, or it isn't told from an error."""

BOTH, MAYBE_BOTH = 0.35, 0.12
"""A ball turned away from two cushions at once has touched the second one too, or may have, where that turn is so large
a share of the other one: a nose's friction takes some from the way along it.
"""

SURE, HARDLY_SURE, MAYBE = 0.93, 0.8, 0.4
REACH = 0.35
"""How far from touching a nose's line, in diameters, a ball may seem to be turned by a jaw."""


def mouth_of(evidence: Evidence, kink: Kink) -> Mouth | None:
    """The pocket whose jaws a ball can touch where its path bends."""
    mouth, away = evidence.bed.nearest_mouth(kink.place)
    within = mouth.width_mm / 2 + 1.2 * evidence.bed.radius
    return mouth if away < within + min(kink.miss_mm / 2, evidence.bed.radius) else None


def jaw_touches(evidence: Evidence, ball: str, kink: Kink, mouth: Mouth) -> list[Cushion]:
    """The cushions of this pocket that the ball touched in this kink, or may have touched."""
    least = max(LEAST_TURN, 2.5 * kink.change_sigma)
    if mouth.pocket.startswith("middle"):
        turns = _middle(evidence, kink, mouth, least)
    else:
        turns = _corner(evidence, kink, mouth, least)
    if not turns:
        return []
    largest = max(turns.values())
    sigma = kink.t_sigma_s if len(turns) == 1 else max(kink.t_sigma_s, evidence.spacing_s / 2)
    found = []
    for cushion, turned in turns.items():
        share = turned / largest
        if share < MAYBE_BOTH:
            continue
        sure = SURE if len(turns) == 1 or turned == largest else HARDLY_SURE if share > BOTH else MAYBE
        found.append(Cushion(t_s=kink.t_s, t_sigma_s=sigma, confidence=sure, ball=ball, cushion=cushion))
    return found


def _corner(evidence: Evidence, kink: Kink, mouth: Mouth, least: float) -> dict[str, float]:
    """How far, mm/s, the ball was turned away from each of the corner's two cushions that it can have touched."""
    gaps = evidence.bed.cushion_gaps(kink.place)
    turns = {}
    for cushion in CUSHIONS:
        if cushion not in mouth.pocket.split("-"):
            continue
        axis, sign = AXIS[cushion]
        turned = -sign * float(kink.change[axis])
        if turned > least and gaps[cushion] < REACH * evidence.bed.diameter + kink.miss_mm / 2:
            turns[cushion] = turned
    return turns


def _middle(evidence: Evidence, kink: Kink, mouth: Mouth, least: float) -> dict[str, float]:
    """The middle pocket's cushion and how far the ball was turned away from a jaw of it, mm/s."""
    cushion = mouth.pocket.split("-")[1]
    axis, sign = AXIS[cushion]
    if evidence.bed.cushion_gaps(kink.place)[cushion] > REACH * evidence.bed.diameter:
        return {}
    side = float(np.sign(kink.place[1 - axis] - mouth.centre[1 - axis]))
    turned = max(-sign * float(kink.change[axis]), -side * float(kink.change[1 - axis]))
    return {cushion: turned} if turned > least else {}
