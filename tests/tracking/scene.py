"""Exact scenes for the tests: rolling balls that slow down steadily, collide elastically, rebound and drop.

Between two events each ball runs on a parabola in time along a straight line, so the times of events are roots of
polynomials and the truth is exact. Observations are drawn from it with noise, misses, false balls and blind regions.
"""

from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np

from calibration.tables import TABLES, TableSpec
from tracking.geometry import Bed
from vision.balls import BALL_SETS, BallSet
from vision.frames import FrameStamp
from vision.observations import Observations

DECELERATION = 120.0
CUSHION_KEEPS = 0.8
FPS = 30


@dataclass
class Piece:
    t0: float
    p: np.ndarray
    v: np.ndarray
    gone: bool = False

    def at(self, t: float) -> tuple[np.ndarray, np.ndarray]:
        speed = np.hypot(*self.v)
        if speed == 0.0:
            return self.p, self.v
        run = min(t - self.t0, speed / DECELERATION)
        unit = self.v / speed
        return self.p + unit * (speed * run - DECELERATION * run**2 / 2), unit * (speed - DECELERATION * run)

    def stop(self) -> float:
        speed = np.hypot(*self.v)
        return self.t0 + speed / DECELERATION if speed > 0 else np.inf

    def polynomial(self, t0: float) -> np.ndarray:
        """(3, 2) coefficients of 1, s, s² of the place at ``t0 + s``, while it rolls."""
        p, v = self.at(t0)
        speed = np.hypot(*v)
        a = -DECELERATION * v / speed if speed > 0 else np.zeros(2)
        return np.array([p, v, a / 2])


@dataclass
class Truth:
    """Pieces of each ball in order, and events (t, kind, what…) in order of time."""

    table: TableSpec
    ball_set: BallSet
    pieces: dict[str, list[Piece]]
    events: list[tuple] = field(default_factory=list)

    def place(self, ball: str, t: float) -> np.ndarray | None:
        """The centre at ``t``, None once it has dropped."""
        current = self.pieces[ball][0]
        for piece in self.pieces[ball]:
            if piece.t0 <= t:
                current = piece
        return None if current.gone else current.at(max(t, current.t0))[0]

    def of(self, kind: str) -> list[tuple]:
        return [event for event in self.events if event[1] == kind]

    @property
    def rest_s(self) -> float:
        return max(e[0] for e in self.events)


def _first_root(coefficients: np.ndarray, until: float) -> float | None:
    """The first s in (0, until] at which the polynomial (ascending) falls through zero."""
    roots = np.roots(coefficients[::-1])
    real = np.sort(roots[np.abs(roots.imag) < 1e-9].real)
    slope = np.polynomial.polynomial.polyder(coefficients)
    for s in real:
        if 1e-9 < s <= until and np.polynomial.polynomial.polyval(s, slope) < 0:
            return float(s)
    return None


def play(
    balls: dict[str, tuple[float, float]],
    strike: tuple[float, float],
    *,
    game: str = "snooker",
    strike_s: float = 1.0,
    limit_s: float = 30.0,
) -> Truth:
    """The balls lie still, the cue ball is struck at ``strike_s`` with velocity ``strike`` in mm/s; until all rest."""
    table = TABLES["snooker-12ft" if game == "snooker" else "pool-9ft"]
    bed = Bed(table)
    truth = Truth(table, BALL_SETS[game], {b: [Piece(0.0, np.array(p, float), np.zeros(2))] for b, p in balls.items()})
    truth.pieces["cue"].append(Piece(strike_s, np.array(balls["cue"], float), np.array(strike, float)))
    truth.events.append((strike_s, "strike", "cue"))
    now = strike_s
    while now < limit_s:
        live = {b: ps[-1] for b, ps in truth.pieces.items() if not ps[-1].gone}
        moving = [b for b, p in live.items() if p.stop() > now + 1e-9 and np.hypot(*p.v) > 0]
        if not moving:
            break
        best: tuple[float, str, tuple] = (np.inf, "", ())
        polys = {b: p.polynomial(now) for b, p in live.items()}
        horizon = min(live[b].stop() for b in moving) - now
        best = (horizon, "stop", ())
        for b in moving:
            for other in live:
                if other == b or (other in moving and other < b):
                    continue
                d = polys[b] - polys[other]
                square = np.zeros(5)
                for axis in range(2):
                    square += np.convolve(d[:, axis], d[:, axis])
                square[0] -= bed.diameter**2
                s = _first_root(square, best[0])
                if s is not None:
                    best = (s, "contact", (b, other))
            for name, axis, wall, sign in (
                ("left", 0, bed.radius, 1),
                ("right", 0, bed.width - bed.radius, -1),
                ("bottom", 1, bed.radius, 1),
                ("top", 1, bed.length - bed.radius, -1),
            ):
                c = sign * (polys[b][:, axis] - np.array([wall, 0, 0]))
                s = _first_root(c, best[0])
                if s is not None:
                    at = np.polynomial.polynomial.polyval(s, polys[b])
                    in_mouth = any(
                        abs(m.aside_mm(at)) < m.width_mm / 2 and m.depth_mm(at) > -1.5 * bed.radius for m in bed.mouths
                    )
                    if not in_mouth:
                        best = (s, "cushion", (b, name, axis))
            for mouth in bed.mouths:
                c = np.array(
                    [(mouth.centre - polys[b][0]) @ mouth.inward - mouth.drop_mm, *(-polys[b][1:] @ mouth.inward)]
                )
                s = _first_root(-c, best[0])
                if (
                    s is not None
                    and abs(mouth.aside_mm(np.polynomial.polynomial.polyval(s, polys[b]))) < mouth.width_mm
                ):
                    best = (s, "pocket", (b, mouth.pocket))
        now += best[0]
        kind, what = best[1:]
        if kind == "contact":
            a, b = what
            (pa, va), (pb, vb) = live[a].at(now), live[b].at(now)
            normal = (pb - pa) / np.hypot(*(pb - pa))
            swap = normal * ((va - vb) @ normal)
            truth.pieces[a].append(Piece(now, pa, va - swap))
            truth.pieces[b].append(Piece(now, pb, vb + swap))
            truth.events.append((now, "contact", a, b))
        elif kind == "cushion":
            b, name, axis = what
            p, v = live[b].at(now)
            v = v.copy()
            v[axis] *= -CUSHION_KEEPS
            truth.pieces[b].append(Piece(now, p, v))
            truth.events.append((now, "cushion", b, name))
        elif kind == "pocket":
            truth.pieces[what[0]].append(Piece(now, live[what[0]].at(now)[0], np.zeros(2), gone=True))
            truth.events.append((now, "pocket", *what))
    truth.events.append((now, "rest"))
    return truth


@dataclass(frozen=True)
class Look:
    """How well the balls are seen. ``blind``: (t0, t1, polygon (m, 2) mm) spans of hidden regions."""

    noise_mm: float = 1.0
    miss: float = 0.0
    false: float = 0.0
    wrong_kind: float = 0.0
    repeat_every: int = 0
    blind: tuple[tuple[float, float, np.ndarray], ...] = ()
    no_view: tuple[tuple[float, float], ...] = ()
    seed: int = 0
    after_s: float = 1.0


def kind(name: str) -> str:
    return "red" if name.startswith("red-") else name


def observe(truth: Truth, look: Look = Look(), until_s: float | None = None) -> list[Observations]:
    """Frames at 30 a second from 0 until a while after rest."""
    from tracking.geometry import polygon_distance

    rng = np.random.default_rng(look.seed)
    kinds = truth.ball_set.kinds
    end = truth.rest_s + look.after_s if until_s is None else until_s
    frames: list[Observations] = []
    for i in range(int(end * FPS)):
        t = i / FPS
        stamp = FrameStamp(index=i, pts=i, time_base=Fraction(1, FPS), t_s=t)
        if look.repeat_every and i % look.repeat_every == look.repeat_every - 1 and frames:
            frames.append(replace(frames[-1], stamp=stamp, repeat=True))
            continue
        blind = tuple(polygon for t0, t1, polygon in look.blind if t0 <= t < t1)
        view = not any(t0 <= t < t1 for t0, t1 in look.no_view)
        rows, names = [], []
        for ball in truth.pieces if view else ():
            place = truth.place(ball, t)
            if place is None or rng.random() < look.miss or any(polygon_distance(place, p) == 0.0 for p in blind):
                continue
            rows.append(place + rng.normal(0, look.noise_mm, 2))
            names.append(kind(ball))
        if view and rng.random() < look.false:
            rows.append(rng.uniform([0, 0], [truth.table.width_mm, truth.table.length_mm]))
            names.append(str(rng.choice(kinds)))
        n = len(rows)
        logp = np.full((n, len(kinds)), -6.0)
        for row, name in enumerate(names):
            name = str(rng.choice(kinds)) if rng.random() < look.wrong_kind else name
            logp[row, kinds.index(name)] = 0.0
        xy = np.array(rows).reshape(n, 2)
        cov = np.broadcast_to(np.eye(2) * max(look.noise_mm, 0.3) ** 2, (n, 2, 2)).copy()
        frames.append(
            Observations(
                stamp=stamp,
                identities=kinds,
                xy_mm=xy,
                cov_mm2=cov,
                uv_px=xy / 2,
                radius_px=np.full(n, 13.0),
                identity_logp=logp,
                visibility=np.ones(n),
                blind=blind,
                view=view,
            )
        )
    return frames
