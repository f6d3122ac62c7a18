"""Impulses: ball against ball, ball against a nose, a jaw or the bed, and the tip against the cue ball.

All are instantaneous. Two bodies meet with a coefficient of restitution along the line of contact and Coulomb friction
across it that never more than stops the slip. The cushion is Han's (*Dynamics in Carom and Three Cushion Billiards*,
J. Mech. Sci. Tech. 19, 2005): the nose is an edge above the ball's centre. Masses are equal and cancel out.
"""

import math

import numpy as np
from numpy.typing import NDArray

from referee.app.simulate.dynamics.motion import Array, Physics, State

SOFT_MM_S = 2.0
"""Below this approach speed a contact doesn't bounce; it ends the series of ever smaller bounces."""


def _restitution(value: float, approach: float) -> float:
    return value if approach > SOFT_MM_S else 0.0


def ball_ball(
    one: State, two: State, radius: float, physics: Physics, *, on_bed: tuple[bool, bool]
) -> tuple[State, State]:
    """Two equal balls that touch. ``on_bed`` says which of them the bed holds up: it takes their vertical impulse.

    Throw is the friction between the balls (Alciatore, technical proof A.14): the impulse is μ times the normal
    one, at most the m|u|/7 that stops the slip u of the two surfaces.
    """
    line = two.position - one.position
    line = line / math.sqrt(float(line @ line))
    relative = one.velocity - two.velocity
    approach = float(relative @ line)
    if approach <= 0:
        return one, two
    normal = 0.5 * (1.0 + _restitution(physics.ball_restitution, approach)) * approach
    arm = radius * line
    surface = relative + np.cross(one.spin, arm) + np.cross(two.spin, arm)
    surface = surface - float(surface @ line) * line
    slip_speed = math.sqrt(float(surface @ surface))
    across = np.zeros(3)
    if slip_speed > 1e-9:
        across = -surface / slip_speed * min(physics.ball_friction * normal, slip_speed / 7.0)
    turn = 2.5 / (radius * radius) * np.cross(arm, across)
    v1, v2 = one.velocity - normal * line + across, two.velocity + normal * line - across
    if on_bed[0]:
        v1 = np.array([v1[0], v1[1], 0.0])
    if on_bed[1]:
        v2 = np.array([v2[0], v2[1], 0.0])
    return (
        State(position=one.position, velocity=v1, spin=one.spin + turn),
        State(position=two.position, velocity=v2, spin=two.spin + turn),
    )


def against(
    state: State, normal: Array, radius: float, *, restitution: float, friction: float, on_bed: bool = False
) -> State:
    """A ball against something that doesn't move; ``normal`` is the unit vector from the contact to the centre.

    The friction impulse that stops the slip u of the surface is 2|u|/7.
    """
    approach = -float(state.velocity @ normal)
    if approach <= 0:
        return state
    push = (1.0 + _restitution(restitution, approach)) * approach
    arm = -radius * normal
    surface = state.velocity + np.cross(state.spin, arm)
    surface = surface - float(surface @ normal) * normal
    slip_speed = math.sqrt(float(surface @ surface))
    across = np.zeros(3)
    if slip_speed > 1e-9:
        across = -surface / slip_speed * min(friction * push, 2.0 / 7.0 * slip_speed)
    velocity = state.velocity + push * normal + across
    if on_bed:
        velocity = np.array([velocity[0], velocity[1], 0.0])
    spin = state.spin + 2.5 / (radius * radius) * np.cross(arm, across)
    return State(position=state.position, velocity=velocity, spin=spin)


def nose_normal(outward: Array, height: float) -> Array:
    """Unit vector from a nose to the centre of a ball that touches it, of which ``height`` is (nose - centre) / R.

    ``outward`` (2,) points horizontally from the nose to the ball.
    """
    level = math.sqrt(max(0.0, 1.0 - height * height))
    return np.array([outward[0] * level, outward[1] * level, -height])


def strike(
    position: Array,
    radius: float,
    *,
    speed_mm_s: float,
    direction: tuple[float, float],
    side: float = 0.0,
    above: float = 0.0,
    elevation_rad: float = 0.0,
) -> State:
    """The cue ball just after a stroke (Leckie and Greenspan 2006).

    ``speed_mm_s`` is the ball's speed along the cue. The tip hits ``side`` radii to the right and ``above`` radii
    over the centre, as the player sees it. With an elevated cue the bed throws the ball up with half of the
    downward speed.
    """
    aim = np.array([direction[0], direction[1], 0.0]) / math.hypot(*direction)
    right = np.array([aim[1], -aim[0], 0.0])
    cue = math.cos(elevation_rad) * aim - math.sin(elevation_rad) * np.array([0.0, 0.0, 1.0])
    over = np.cross(right, cue)
    depth = math.sqrt(max(0.0, 1.0 - side * side - above * above))
    arm = radius * (side * right + above * over - depth * cue)
    spin = 2.5 * speed_mm_s / (radius * radius) * np.cross(arm, cue)
    velocity = speed_mm_s * cue
    velocity[2] = -0.5 * velocity[2]
    return State(position=position, velocity=velocity, spin=spin)


STEPS_PER_CONTACT = 160
"""Steps in which the spring between two balls is pressed and let go."""


def together(velocities: Array, pairs: NDArray[np.intp], lines: Array, restitution: float) -> tuple[Array, Array]:
    """Balls that touch one another all push at once: velocities (n, 3) after, and the step (m,) in which each pair was
    first pressed, infinity for those that weren't.

    pairs: (m, 2) indices; lines: (m, 3) unit vectors from the first to the second of a pair. Each contact is a Hertzian
    spring (force ∝ compression^1.5) that gives back e² of its force when it opens; the balls' places don't change
    meanwhile. One contact after the other, as in a row of events, would send the whole push down one line of a rack.
    Friction between the balls is left out here.
    """
    speeds = velocities.copy()
    approach = _closing(speeds, pairs, lines)
    fastest = float(approach.max(initial=0.0))
    onset = np.full(len(pairs), np.inf)
    if fastest <= 0.0:
        return speeds, onset
    # Lengths are measured in those of the fastest contact's compression, times in its duration: m = 1, v = 1.
    speeds /= fastest
    stiffness = 1.0
    longest = (1.25 * 0.5 / stiffness) ** 0.4
    step = 2.94 * longest / STEPS_PER_CONTACT
    squeeze = np.zeros(len(pairs))
    for moment in range(STEPS_PER_CONTACT * 12):
        closing = _closing(speeds, pairs, lines)
        squeeze = np.maximum(squeeze + closing * step, 0.0)
        if not squeeze.any():
            break
        onset = np.where((squeeze > 1e-4 * longest) & np.isinf(onset), moment, onset)
        force = stiffness * squeeze**1.5 * np.where(closing < 0.0, restitution**2, 1.0)
        push = (force * step)[:, None] * lines
        np.add.at(speeds, pairs[:, 0], -push)
        np.add.at(speeds, pairs[:, 1], push)
    return speeds * fastest, onset


def _closing(speeds: Array, pairs: NDArray[np.intp], lines: Array) -> Array:
    """(m,) how fast each pair closes."""
    closing: Array = ((speeds[pairs[:, 0]] - speeds[pairs[:, 1]]) * lines).sum(axis=1)
    return closing
