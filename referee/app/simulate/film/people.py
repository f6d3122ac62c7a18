"""The player who comes in for each stroke, and the hand that puts balls back."""

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from calibration.camera import Array
from calibration.tables import TableSpec
from referee.app.simulate.film.limbs import Capsule, Dress, Material

CUE_MM = 1470.0
REACH_MM = 1250.0
"""From further than this behind the cue ball to the table's edge a player takes the rest."""


class Behind(Protocol):
    """A point on a cue's line, mm behind the place of contact, to the right of it and higher than the cue."""

    def __call__(self, mm: float, sideways: float = 0.0, high: float = 0.0) -> Array: ...


def smooth(x: float) -> float:
    """0 to 1 with level ends."""
    x = min(1.0, max(0.0, x))
    return x * x * (3.0 - 2.0 * x)


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """One stroke as the player's body sees it.

    ``ball`` (3,) mm is the cue ball's centre, ``direction`` (2,) the aim. t_in … t_out: in the picture. ``side``: +1
    for a right-handed player. ``pull_mm`` is the last backswing; feathers are shorter ones before it.
    """

    ball: Array
    direction: Array
    t_in: float
    t_strike: float
    t_out: float
    ball_radius: float
    speed_mm_s: float
    above: float
    elevation_rad: float
    edge_mm: float
    dress: Dress
    side: float = 1.0
    pull_mm: float = 140.0
    feathers: int = 3
    glove: bool = False

    @property
    def uses_rest(self) -> bool:
        """Whether the player can't reach with a hand."""
        return self.edge_mm > REACH_MM

    @property
    def cue_mm(self) -> float:
        """The cue's length, with an extension where the player stands far off."""
        return max(CUE_MM, self.edge_mm - 120.0)

    def tip_mm(self, t: float) -> float:
        """Distance from the tip to the cue ball's place of contact, mm; zero at the strike, negative after it."""
        before = self.t_strike - t
        if before <= 0:
            follow = 60.0 + min(160.0, 0.03 * self.speed_mm_s)
            return -follow * (1.0 - math.exp(before * self.speed_mm_s / 1.4 / follow))
        swing = 0.12 + self.pull_mm / max(400.0, self.speed_mm_s) * 1.2
        if before < swing:
            x = before / swing
            return 8.0 * x + (self.pull_mm - 8.0) * (1.0 - (1.0 - x) ** 2)
        if before < swing + 0.45:
            return 8.0 + (self.pull_mm - 8.0) * smooth(1.0 - (before - swing) / 0.45)
        phase = (before - swing - 0.45) / 0.62
        if phase < self.feathers:
            return 8.0 + 0.45 * self.pull_mm * (0.5 - 0.5 * math.cos(2 * math.pi * phase))
        return 8.0


def _bent(a: Array, b: Array, sag: Array, steps: int = 4) -> list[Array]:
    """Points of a bend from a to b whose middle is moved by ``sag``."""
    return [a + (b - a) * x + sag * (4 * x * (1 - x)) for x in np.linspace(0, 1, steps + 1)]


def player(visit: Visit, t: float) -> list[Capsule]:
    """The player's body and cue at time t; empty while he is out of the picture."""
    if not visit.t_in < t < visit.t_out:
        return []
    coming = smooth((t - visit.t_in) / 0.9)
    going = smooth((visit.t_out - t) / 0.9)
    away = (1.0 - min(coming, going)) * (visit.edge_mm + 900.0)
    aim = np.array([visit.direction[0], visit.direction[1], 0.0])
    right = np.array([aim[1], -aim[0], 0.0]) * visit.side
    up = np.array([0.0, 0.0, 1.0])
    lift = 1.0 - min(coming, going)
    slope = math.tan(max(visit.elevation_rad, math.radians(4.0)))
    contact = visit.ball - aim * (visit.ball_radius * 0.95) + up * (visit.above * visit.ball_radius)

    def behind(mm: float, sideways: float = 0.0, high: float = 0.0) -> Array:
        """A point on the cue's line that far behind the place of contact."""
        return np.asarray(contact - aim * (mm + away) + right * sideways + up * (mm * slope + high + 60.0 * lift))

    tip = visit.tip_mm(t)
    parts = _cue(behind, tip, visit)
    bridge = 230.0 if not visit.uses_rest else 320.0
    if visit.uses_rest:
        parts += _rest(behind, bridge, visit)
    else:
        parts += _bridge_hand(behind, bridge, visit)
    grip = tip + visit.cue_mm - 230.0
    shoulder = max(820.0, min(bridge + 640.0, 1000.0)) if not visit.uses_rest else visit.edge_mm + 120.0
    parts += _body(behind, bridge, grip, shoulder, visit)
    return parts


def _cue(behind: Behind, tip: float, visit: Visit) -> list[Capsule]:
    def rod(start: float, end: float, ra: float, rb: float, material: Material) -> Capsule:
        return Capsule(a=behind(tip + start), b=behind(tip + end), ra=ra, rb=rb, material=material, dress=visit.dress)

    return [
        rod(2.0, 6.0, 4.6, 4.8, Material.TIP),
        rod(8.0, 20.0, 4.9, 5.0, Material.FERRULE),
        rod(22.0, 1000.0, 5.0, 11.0, Material.MAPLE),
        rod(1000.0, visit.cue_mm, 11.2, 14.5, Material.BUTT),
    ]


def _rest(behind: Behind, bridge: float, visit: Visit) -> list[Capsule]:
    dress = visit.dress
    head = behind(bridge, 0.0, -14.0)
    wing = (behind(bridge, 22.0, 6.0), behind(bridge, -22.0, 6.0))
    tail = behind(visit.edge_mm + 150.0, 90.0, 10.0)
    return [
        Capsule(a=head, b=tail, ra=9.0, rb=11.0, material=Material.BUTT, dress=dress),
        Capsule(a=wing[0], b=head, ra=4.0, rb=6.0, material=Material.BRASS, dress=dress),
        Capsule(a=wing[1], b=head, ra=4.0, rb=6.0, material=Material.BRASS, dress=dress),
    ]


def _bridge_hand(behind: Behind, bridge: float, visit: Visit) -> list[Capsule]:
    """An open bridge: heel of the hand behind, four fingers spread on the cloth, the thumb along the cue."""
    skin = Material.GLOVE if visit.glove else Material.SKIN
    dress = visit.dress

    def bone(a: Array, b: Array, ra: float, rb: float) -> Capsule:
        return Capsule(a=a, b=b, ra=ra, rb=rb, material=skin, dress=dress)

    low = -visit.ball_radius * 0.4
    palm, heel = behind(bridge + 55, -12, low), behind(bridge + 115, -30, low + 4)
    parts = [bone(palm, heel, 34.0, 30.0), bone(behind(bridge + 40, -26, low), heel, 22.0, 28.0)]
    fingers = ((-6.0, 4.0, -6.0), (-26.0, -8.0, -30.0), (-44.0, 2.0, -58.0), (-58.0, 26.0, -84.0))
    for base, tip, spread in fingers:
        knuckle, middle = behind(bridge + 30, base * 0.8, low), behind(bridge + tip - 12, (base + spread) / 2, low)
        end = behind(bridge + tip - 44, spread, low - 10)
        parts += [bone(knuckle, middle, 11.0, 9.5), bone(middle, end, 9.5, 7.5)]
    thumb = behind(bridge - 6, 16.0, low + 12)
    parts += [bone(behind(bridge + 52, 12.0, low), thumb, 13.0, 9.0)]
    return parts


def _body(behind: Behind, bridge: float, grip: float, shoulder: float, visit: Visit) -> list[Capsule]:
    """Bridge arm, head, shoulders, back, and the arm that swings the cue."""
    dress = visit.dress
    parts = []

    def limb(points: list[Array], ra: float, rb: float, material: Material) -> None:
        sizes = np.linspace(ra, rb, len(points))
        for k in range(len(points) - 1):
            parts.append(
                Capsule(
                    a=points[k],
                    b=points[k + 1],
                    ra=float(sizes[k]),
                    rb=float(sizes[k + 1]),
                    material=material,
                    dress=dress,
                )
            )

    left, right_ = behind(shoulder, -215.0, 110.0), behind(shoulder + 90.0, 190.0, 130.0)
    wrist = behind(bridge + 120.0, -32.0, -4.0) if not visit.uses_rest else behind(visit.edge_mm + 40.0, 70.0, 20.0)
    sag = behind(0.0, -26.0, 8.0) - behind(0.0)
    arm = _bent(wrist, left, sag, 6)
    limb(arm[:2], 27.0, 32.0, Material.SKIN)
    limb(arm[1:], 36.0, 58.0, Material.SLEEVE)
    limb([arm[1], arm[1] + 0.08 * (arm[2] - arm[1])], 35.0, 35.0, Material.CUFF)
    limb([left, right_], 70.0, 74.0, Material.SHIRT)
    hips = behind(shoulder + 560.0, 60.0, -80.0)
    limb([0.5 * (left + right_), hips], 165.0, 150.0, Material.SHIRT)
    limb([hips, behind(shoulder + 900.0, 90.0, -420.0)], 140.0, 110.0, Material.SHIRT)
    head = behind(shoulder - 150.0, 8.0, 150.0)
    limb([head, behind(shoulder - 60.0, 4.0, 160.0)], 82.0, 92.0, Material.HAIR)
    limb([behind(shoulder - 205.0, 8.0, 118.0), behind(shoulder - 170.0, 8.0, 120.0)], 62.0, 70.0, Material.SKIN)
    elbow = behind(min(grip, shoulder + 420.0) + 40.0, 120.0, 230.0)
    hand = behind(grip, 10.0, -6.0)
    limb([right_, elbow], 60.0, 50.0, Material.SLEEVE)
    limb([elbow, 0.25 * elbow + 0.75 * hand], 46.0, 34.0, Material.SLEEVE)
    limb([0.25 * elbow + 0.75 * hand, hand], 30.0, 38.0, Material.SKIN)
    return parts


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """A hand that comes over the table's edge to a place and goes again: to put a ball down, or to take one away."""

    place: Array
    origin: Array
    t_touch: float
    stay_s: float
    dress: Dress
    glove: bool = False
    takes: bool = False

    @property
    def span(self) -> tuple[float, float]:
        """From when to when it is in the picture."""
        return self.t_touch - 1.0, self.t_touch + self.stay_s + 0.9

    def at(self, t: float) -> Array | None:
        """Where the finger tips are, mm; None while out of the picture."""
        start, end = self.span
        if not start < t < end:
            return None
        there = min(smooth((t - start) / 0.9), smooth((end - t) / 0.8))
        return np.asarray(self.origin + (self.place - self.origin) * there)


def hand(reach: Reach, t: float) -> list[Capsule]:
    """The hand and arm at time t."""
    tips = reach.at(t)
    if tips is None:
        return []
    back = reach.origin - reach.place
    back = back / np.linalg.norm(back[:2])
    side = np.array([back[1], -back[0], 0.0])
    up = np.array([0.0, 0.0, 1.0])
    dress = reach.dress
    skin = Material.GLOVE if reach.glove else Material.SKIN
    wrist = tips + back * 135.0 + up * 70.0
    parts = [
        Capsule(a=tips + back * 62.0 + up * 52.0 - side * 10.0, b=wrist, ra=38.0, rb=30.0, material=skin, dress=dress)
    ]
    for offset, forward in ((-30.0, 8.0), (-12.0, -4.0), (8.0, -2.0), (26.0, 12.0)):
        knuckle = tips + back * (70.0 + forward) + side * offset * 1.1 + up * 58.0
        middle = tips + back * (26.0 + forward) + side * offset * 1.2 + up * 48.0
        end = tips + back * (2.0 + forward) + side * offset * 0.8 + up * 14.0
        parts.append(Capsule(a=knuckle, b=middle, ra=12.0, rb=10.5, material=skin, dress=dress))
        parts.append(Capsule(a=middle, b=end, ra=10.5, rb=8.0, material=skin, dress=dress))
    elbow = wrist + back * 290.0 + up * 90.0 + side * 60.0
    shoulder = wrist + back * 700.0 + up * 260.0 + side * 20.0
    cut = wrist + 0.25 * (elbow - wrist)
    parts.append(Capsule(a=wrist, b=cut, ra=29.0, rb=33.0, material=Material.SKIN, dress=dress))
    parts.append(Capsule(a=cut, b=elbow, ra=38.0, rb=50.0, material=Material.SLEEVE, dress=dress))
    parts.append(Capsule(a=elbow, b=shoulder, ra=52.0, rb=68.0, material=Material.SLEEVE, dress=dress))
    parts.append(
        Capsule(a=shoulder, b=shoulder + back * 350.0, ra=150.0, rb=170.0, material=Material.SHIRT, dress=dress)
    )
    return parts


def distance_to_edge(spec: TableSpec, rail_mm: float, place: Array, way: Array) -> float:
    """How far it is from a place on the table along ``way`` (2,) to the outer edge of the rail, mm."""
    far = math.inf
    for axis, size in ((0, spec.width_mm), (1, spec.length_mm)):
        if way[axis] > 1e-9:
            far = min(far, (size + rail_mm - place[axis]) / way[axis])
        elif way[axis] < -1e-9:
            far = min(far, (-rail_mm - place[axis]) / way[axis])
    return max(0.0, far)


def nearest_origin(spec: TableSpec, rail_mm: float, place: Array, *, skew: float) -> Array:
    """(3,) a point outside the table from which an arm reaches a place over the nearest rail, ``skew`` mm along it."""
    left = place[0] < spec.width_mm / 2
    x = -rail_mm - 450.0 if left else spec.width_mm + rail_mm + 450.0
    if min(place[1], spec.length_mm - place[1]) < min(place[0], spec.width_mm - place[0]):
        y = -rail_mm - 450.0 if place[1] < spec.length_mm / 2 else spec.length_mm + rail_mm + 450.0
        return np.array([place[0] + skew, y, 260.0])
    return np.array([x, place[1] + skew, 260.0])
