"""How a ball moves between two events: at rest, spinning, rolling, sliding or flying.

Under Coulomb friction each phase has a constant acceleration, so a path is piecewise quadratic in time
(Marlow, *The Physics of Pocket Billiards*, 1995; Leckie and Greenspan, *An event-based pool physics
simulator*, 2006). Lengths in mm, times in s, angles in rad; positions in the table frame.
"""

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

GRAVITY_MM_S2 = 9806.65


class Phase(StrEnum):
    """What holds or drives a ball during one segment of its path."""

    STILL = "still"
    SPINNING = "spinning"
    ROLLING = "rolling"
    SLIDING = "sliding"
    FLYING = "flying"
    GONE = "gone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Physics:
    """Coefficients of cloth, balls and cushions.

    Defaults are usual values for a worsted cloth and phenolic balls (Marlow 1995; Alciatore, *The Illustrated
    Principles of Pool and Billiards*, technical proofs A.14, B.8; Mathavan et al., *Am. J. Phys.* 77, 2009).
    ``spin_decay_rad_s2`` slows the spin about the vertical. ``ball_friction`` acts between two balls.
    """

    slide_friction: float = 0.20
    roll_friction: float = 0.0105
    spin_decay_rad_s2: float = 10.0
    ball_restitution: float = 0.95
    ball_friction: float = 0.06
    cushion_restitution: float = 0.86
    cushion_friction: float = 0.18
    bed_restitution: float = 0.5
    bed_friction: float = 0.20
    rail_friction: float = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A ball's centre (3,) mm, velocity (3,) mm/s and spin (3,) rad/s at one moment."""

    position: Array
    velocity: Array
    spin: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A stretch of a path with constant acceleration, from ``t0`` to ``t1`` (infinite for a ball at rest).

    position, velocity, spin: (3,) at ``t0``. acceleration, spin_rate: (3,); the vertical spin decays at
    ``spin_decay`` until it is zero, whatever ``spin_rate[2]`` says.
    """

    t0: float
    t1: float
    phase: Phase
    position: Array
    velocity: Array
    spin: Array
    acceleration: Array
    spin_rate: Array
    spin_decay: float

    def state(self, t: float) -> State:
        """The ball at time t, which must lie in the segment."""
        dt = t - self.t0
        position = self.position + self.velocity * dt + (0.5 * dt * dt) * self.acceleration
        velocity = self.velocity + self.acceleration * dt
        return State(position=position, velocity=velocity, spin=self.spin_at(t))

    def spin_at(self, t: float) -> Array:
        """The spin (3,) at time t."""
        dt = t - self.t0
        spin: Array = self.spin + self.spin_rate * dt
        vertical = float(self.spin[2])
        spin[2] = math.copysign(max(0.0, abs(vertical) - self.spin_decay * dt), vertical)
        return spin


ZERO = np.zeros(3)
STOPPED_MM_S = 1e-6
STOPPED_RAD_S = 1e-7


def slip(velocity: Array, spin: Array, radius: float) -> Array:
    """(2,) velocity of the ball's lowest point over the cloth: v + ω × (0, 0, -R)."""
    return np.array([velocity[0] - radius * spin[1], velocity[1] + radius * spin[0]])


def rolling_spin(velocity: Array, radius: float, vertical: float) -> Array:
    """The spin (3,) of a ball that rolls with this velocity and turns about the vertical at ``vertical``."""
    return np.array([-velocity[1] / radius, velocity[0] / radius, vertical])


def segment_on_plane(t: float, state: State, radius: float, physics: Physics, *, on_rail: bool = False) -> Segment:
    """The next segment of a ball that lies on a plane (the cloth, or a rail's top).

    A sliding ball rolls after 2|u| / (7 μ g), u being its slip; a rolling one stops after |v| / (μ g).
    """
    velocity = np.array([state.velocity[0], state.velocity[1], 0.0])
    spin = state.spin.copy()
    if on_rail:
        spin = rolling_spin(velocity, radius, float(spin[2]))
    sliding = slip(velocity, spin, radius)
    slip_speed = math.hypot(sliding[0], sliding[1])
    speed = math.hypot(velocity[0], velocity[1])
    acceleration, spin_rate = ZERO, ZERO
    if slip_speed > max(STOPPED_MM_S, 1e-9 * speed):
        phase = Phase.SLIDING
        pull = physics.slide_friction * GRAVITY_MM_S2
        acceleration = np.array([-sliding[0] / slip_speed * pull, -sliding[1] / slip_speed * pull, 0.0])
        spin_rate = 2.5 / radius * np.array([acceleration[1], -acceleration[0], 0.0])
        lasts = 2.0 * slip_speed / (7.0 * pull)
    elif speed > STOPPED_MM_S:
        phase = Phase.ROLLING
        pull = (physics.rail_friction if on_rail else physics.roll_friction) * GRAVITY_MM_S2
        acceleration = -velocity / speed * pull
        spin = rolling_spin(velocity, radius, float(spin[2]))
        spin_rate = rolling_spin(acceleration, radius, 0.0)
        lasts = speed / pull
    elif abs(spin[2]) > STOPPED_RAD_S:
        phase, velocity, spin = Phase.SPINNING, ZERO, np.array([0.0, 0.0, spin[2]])
        lasts = abs(float(spin[2])) / physics.spin_decay_rad_s2
    else:
        phase, velocity, spin, lasts = Phase.STILL, ZERO, ZERO, math.inf
    return Segment(
        t0=t,
        t1=t + lasts,
        phase=phase,
        position=state.position,
        velocity=velocity,
        spin=spin,
        acceleration=acceleration,
        spin_rate=spin_rate,
        spin_decay=physics.spin_decay_rad_s2,
    )


def segment_in_flight(t: float, state: State) -> Segment:
    """A ball in the air: constant spin, gravity only; ends when something stops it."""
    return Segment(
        t0=t,
        t1=math.inf,
        phase=Phase.FLYING,
        position=state.position,
        velocity=state.velocity,
        spin=state.spin,
        acceleration=np.array([0.0, 0.0, -GRAVITY_MM_S2]),
        spin_rate=ZERO,
        spin_decay=0.0,
    )


def gone(t: float, state: State) -> Segment:
    """A ball that is out of play from t on; it keeps the place where it left."""
    return Segment(
        t0=t,
        t1=math.inf,
        phase=Phase.GONE,
        position=state.position,
        velocity=ZERO,
        spin=ZERO,
        acceleration=ZERO,
        spin_rate=ZERO,
        spin_decay=0.0,
    )


def energy(state: State, radius: float) -> float:
    """Mechanical energy per unit of mass, mm²/s²: translation, rotation (I = 2/5 m R²) and height above the cloth."""
    v2 = float(state.velocity @ state.velocity)
    w2 = float(state.spin @ state.spin)
    return 0.5 * v2 + 0.2 * radius * radius * w2 + GRAVITY_MM_S2 * (float(state.position[2]) - radius)
