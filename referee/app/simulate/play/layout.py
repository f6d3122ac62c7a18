"""Opening layouts of all games, as tight as a real rack: the balls touch but for a few micrometres."""

import math

import numpy as np

from calibration.tables import Point, TableSpec

GAP_MM = 0.004


def _triangle(spec: TableSpec, apex: Point, rows: int, rng: np.random.Generator) -> list[Point]:
    """Places of a triangle whose apex ball is at ``apex`` and points down the table, row by row."""
    step = spec.ball_diameter_mm + GAP_MM
    places = []
    for row in range(rows):
        for k in range(row + 1):
            jitter = rng.uniform(-0.4 * GAP_MM, 0.4 * GAP_MM, 2)
            x = apex[0] + (k - row / 2) * step + jitter[0]
            places.append((float(x), float(apex[1] + row * step * math.sqrt(0.75) + jitter[1])))
    return places


def _snooker(spec: TableSpec, rng: np.random.Generator) -> dict[str, Point]:
    pink = spec.spots["pink"]
    apex = (pink[0], pink[1] + spec.ball_diameter_mm + 1.0)
    layout = {f"red-{k + 1}": place for k, place in enumerate(_triangle(spec, apex, 5, rng))}
    return {**layout, **{name: spec.spots[name] for name in ("yellow", "green", "brown", "blue", "pink", "black")}}


def _pool_rack(spec: TableSpec, rng: np.random.Generator, order: list[str]) -> dict[str, Point]:
    return dict(zip(order, _triangle(spec, spec.spots["foot_spot"], 5, rng), strict=True))


def _eight_ball(spec: TableSpec, rng: np.random.Generator) -> dict[str, Point]:
    """The 8 in the middle of the third row, one solid and one stripe in the back corners."""
    solids = [str(k) for k in rng.permutation(np.arange(1, 8))]
    stripes = [str(k) for k in rng.permutation(np.arange(9, 16))]
    corners = [solids.pop(), stripes.pop()]
    rng.shuffle(corners)
    rest = solids + stripes
    rng.shuffle(rest)
    order = [*rest[:4], "8", *rest[4:9], corners[0], *rest[9:12], corners[1]]
    return _pool_rack(spec, rng, order)


def _nine_ball(spec: TableSpec, rng: np.random.Generator) -> dict[str, Point]:
    """A diamond with the 1 at the apex and the 9 in the middle."""
    places = _triangle(spec, spec.spots["foot_spot"], 5, rng)
    diamond = [places[k] for k in (0, 1, 2, 3, 4, 5, 7, 8, 12)]
    others = [str(k) for k in rng.permutation(np.arange(2, 9))]
    order = ["1", *others[:3], "9", *others[3:]]
    return dict(zip(order, diamond, strict=True))


def opening(game: str, spec: TableSpec, rng: np.random.Generator) -> dict[str, Point]:
    """The object balls as they lie before the first stroke of a frame; the cue ball is still in hand."""
    if game == "snooker":
        return _snooker(spec, rng)
    if game == "8-ball":
        return _eight_ball(spec, rng)
    if game == "9-ball":
        return _nine_ball(spec, rng)
    if game == "14.1":
        return _pool_rack(spec, rng, [str(k) for k in rng.permutation(np.arange(1, 16))])
    if game == "pyramid-combined":
        return _pool_rack(spec, rng, [f"ball-{k}" for k in rng.permutation(np.arange(1, 16))])
    raise ValueError(f"no layout for the game {game!r}")


def break_place(game: str, spec: TableSpec, rng: np.random.Generator) -> Point:
    """Where the cue ball is put for the opening stroke."""
    if game == "snooker":
        assert spec.baulk_line_y_mm is not None and spec.d_radius_mm is not None
        side = rng.choice([-1.0, 1.0])
        x = spec.width_mm / 2 + side * rng.uniform(0.35, 0.6) * spec.d_radius_mm
        return (float(x), spec.baulk_line_y_mm - float(rng.uniform(5, 40)))
    x = spec.width_mm / 2 + rng.uniform(-0.18, 0.18) * spec.width_mm
    return (float(x), float(spec.length_mm / 4 - rng.uniform(10, 60)))
