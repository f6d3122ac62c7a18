"""The table's surfaces drawn in table millimetres: cloth with markings and wear, cushions, rails, pockets, floor."""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from calibration.camera import Array
from referee.app.simulate.dynamics.table import Arc, PlayingTable
from referee.app.simulate.film.look import Floats, Look, linear


@dataclass(frozen=True)
class Canvas:
    """A raster over the table: ``origin`` is the table point of the first pixel's centre, rows go up the table."""

    origin: tuple[float, float]
    shape: tuple[int, int]
    mm_per_px: float

    @classmethod
    def around(cls, table: PlayingTable, *, margin_mm: float, mm_per_px: float) -> "Canvas":
        """A canvas over the whole table and ``margin_mm`` more."""
        edge = table.rail_mm + margin_mm
        shape = (
            int((table.spec.length_mm + 2 * edge) / mm_per_px) + 1,
            int((table.spec.width_mm + 2 * edge) / mm_per_px) + 1,
        )
        return cls((-edge, -edge), shape, mm_per_px)

    def px(self, points: Array) -> Array:
        """Canvas pixels (…, 2) as (column, row) of table points."""
        result: Array = (np.asarray(points) - np.array(self.origin)) / self.mm_per_px
        return result

    def fixed(self, points: Array) -> np.ndarray:
        """The same in OpenCV's fixed point with four binary places."""
        return np.round(self.px(points) * 16).astype(np.int32)

    def sample(self, surface: Floats, points: Array) -> Floats:
        """The surface's values at table points, between pixels linearly."""
        where = self.px(points).astype(np.float32)
        found = cv2.remap(surface, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(found, dtype=np.float32)

    def fill(self, surface: Floats, polygon: Array, colour: Floats | float) -> None:
        """Fill a polygon (n, 2) in table mm, smoothly at its edge."""
        value = tuple(float(c) for c in np.atleast_1d(colour))
        if surface.dtype == np.float32:
            mask = np.zeros(self.shape, np.uint8)
            cv2.fillPoly(mask, [self.fixed(polygon)], 255, cv2.LINE_AA, 4)
            x, y, w, h = cv2.boundingRect(self.px(polygon).astype(np.float32))
            rows, columns = slice(max(0, y - 2), y + h + 3), slice(max(0, x - 2), x + w + 3)
            alpha = mask[rows, columns].astype(np.float32) / 255.0
            part = surface[rows, columns]
            if surface.ndim == 3:
                part[:] = part * (1 - alpha[..., None]) + np.array(value, np.float32) * alpha[..., None]
            else:
                part[:] = part * (1 - alpha) + value[0] * alpha

    def disc(self, surface: Floats, centre: Array, radius: float, colour: Floats | float) -> None:
        """Fill a disc."""
        self.fill(surface, centre + radius * _ring(64), colour)

    def stroke(self, surface: Floats, points: Array, width_mm: float, colour: Floats) -> None:
        """Draw a polyline of this width."""
        along = np.gradient(points, axis=0)
        along = along / np.linalg.norm(along, axis=1, keepdims=True)
        side = np.column_stack([-along[:, 1], along[:, 0]]) * width_mm / 2
        self.fill(surface, np.vstack([points + side, (points - side)[::-1]]), colour)

    def rectangle(self, points: Array, table: PlayingTable, beyond_mm: float, *, round_mm: float = 0.0) -> Floats:
        """(…) 1 inside the noses' rectangle grown by ``beyond_mm``, 0 outside, with an edge one pixel wide."""
        spec = table.spec
        x = np.abs(points[..., 0] - spec.width_mm / 2) - spec.width_mm / 2 - beyond_mm + round_mm
        y = np.abs(points[..., 1] - spec.length_mm / 2) - spec.length_mm / 2 - beyond_mm + round_mm
        out = np.hypot(np.maximum(x, 0.0), np.maximum(y, 0.0)) + np.minimum(np.maximum(x, y), 0.0) - round_mm
        return np.clip(0.5 - out / self.mm_per_px, 0.0, 1.0).astype(np.float32)

    def closeness(self, through: Floats) -> Floats:
        """(rows, columns) 0 … 1: how much of the sky a cushion near by takes from a point of the bed."""
        return self._closeness(through)

    def _closeness(self, through: Floats) -> Floats:
        if not hasattr(self, "_near"):
            small = cv2.resize(through, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
            sigma = 26.0 / (4 * self.mm_per_px)
            near = np.clip(1.0 - cv2.GaussianBlur(small, (0, 0), sigma), 0.0, 1.0)
            big = cv2.resize(near, (self.shape[1], self.shape[0]), interpolation=cv2.INTER_LINEAR)
            object.__setattr__(self, "_near", np.asarray(big, np.float32))
        return self._near  # type: ignore[attr-defined,no-any-return]


def _ring(n: int) -> Array:
    a = np.linspace(0, 2 * np.pi, n, endpoint=False)
    return np.column_stack([np.cos(a), np.sin(a)])


def _arc_points(arc: Arc) -> Array:
    start = np.arctan2(arc.first[1], arc.first[0])
    turn = np.arctan2(arc.first[0] * arc.last[1] - arc.first[1] * arc.last[0], float(arc.first @ arc.last))
    a = start + np.linspace(0, turn, 14)
    result: Array = arc.centre + arc.radius * np.column_stack([np.cos(a), np.sin(a)])
    return result


def nose_outline(table: PlayingTable) -> Array:
    """(n, 2) the closed line along all noses and jaws, across the pockets from one facing's end to the next."""
    noses = {}
    for k, line in enumerate(table.lines):
        if line.jaw is None:
            arcs = table.arcs[(k // 3) * 2 : (k // 3) * 2 + 2]
            facings = table.lines[k - 2 : k]
            first = np.vstack([facings[0].end, facings[0].start, _arc_points(arcs[0])[::-1]])
            last = np.vstack([_arc_points(arcs[1]), facings[1].start, facings[1].end])
            noses[k // 3] = np.vstack([first, last])
    bottom, top, left_low, left_high, right_low, right_high = (noses[k] for k in range(6))
    return np.vstack([bottom, right_low, right_high, top[::-1], left_high[::-1], left_low[::-1]])


def open_area(canvas: Canvas, table: PlayingTable) -> Floats:
    """(rows, columns) 1 where no cushion or rail is above the bed, 0 elsewhere, pockets included in the open."""
    surface = np.zeros(canvas.shape, np.float32)
    canvas.fill(surface, nose_outline(table), 1.0)
    for hole in table.holes:
        canvas.disc(surface, hole.centre, hole.radius, 1.0)
    return surface


def mottled(shape: tuple[int, int], rng: np.random.Generator, cells: tuple[int, int]) -> Floats:
    """(rows, columns) smooth noise of unit deviation with about that many cells."""
    small = rng.standard_normal(cells).astype(np.float32)
    return np.asarray(cv2.resize(small, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC), np.float32)


def cloth_texture(canvas: Canvas, look: Look, rng: np.random.Generator) -> Floats:
    """(rows, columns) factor around 1: nap, fading and wear."""
    rows, columns = canvas.shape
    wear = 0.5 + look.wear
    texture = 0.014 * wear * mottled(canvas.shape, rng, (9, 6)) + 0.012 * wear * mottled(canvas.shape, rng, (46, 28))
    grain = rng.standard_normal(canvas.shape).astype(np.float32)
    texture += 0.020 * cv2.GaussianBlur(grain, (0, 0), 0.9)
    texture += 0.016 * wear * mottled(canvas.shape, rng, (rows // 60 + 2, columns // 5 + 2))
    return np.asarray(1.0 + texture, np.float32)


def bed_surface(canvas: Canvas, table: PlayingTable, look: Look, rng: np.random.Generator) -> Floats:
    """(rows, columns, 3) the cloth with lines, spots, wear and the pockets' depths."""
    surface = linear(look.cloth) * cloth_texture(canvas, look, rng)[..., None]
    spec = table.spec
    chalk, line = linear((225, 232, 235)), linear(look.line)
    _wear(canvas, surface, table, look, rng, chalk)
    if spec.baulk_line_y_mm is not None and spec.d_radius_mm is not None:
        y, radius = spec.baulk_line_y_mm, spec.d_radius_mm
        across = np.column_stack([np.linspace(0, spec.width_mm, 60), np.full(60, y)])
        canvas.stroke(surface, across, 2.0, line)
        a = np.linspace(np.pi, 2 * np.pi, 90)
        d = np.column_stack([spec.width_mm / 2 + radius * np.cos(a), y + radius * np.sin(a)])
        canvas.stroke(surface, d, 2.0, line)
    elif look.head_line:
        _faint_line(canvas, surface, table, line)
    for point in spec.spots.values():
        canvas.disc(surface, np.array(point), 4.2, linear((20, 22, 24)))
    surface = np.asarray(surface, np.float32)
    _pockets(canvas, surface, table, look)
    return surface


def _pockets(canvas: Canvas, surface: Floats, table: PlayingTable, look: Look) -> None:
    """Under the rails the bed gives way to the pocket's lining; the hole is dark, or shows a net."""
    under = 1.0 - open_area(canvas, table)
    lining = surface.copy()
    middle = np.array([table.spec.width_mm / 2, table.spec.length_mm / 2])
    for hole in table.holes:
        out = hole.centre - middle
        if hole.pocket.startswith("middle"):
            out[1] = 0.0
        out = out / np.linalg.norm(out)
        side = np.array([-out[1], out[0]]) * (hole.radius + 24.0)
        back = np.array([side, side + out * 90.0, -side + out * 90.0, -side]) - out * 0.2 * hole.radius
        canvas.fill(lining, hole.centre + back, 0.22 * linear(look.pocket))
    surface[:] = surface * (1 - under[..., None]) + lining * under[..., None]
    for hole in table.holes:
        canvas.disc(surface, hole.centre, hole.radius + 2.0, 0.35 * linear(look.cloth))
        canvas.disc(surface, hole.centre, hole.radius - 1.0, linear((9, 9, 10)))
        if look.net:
            canvas.disc(surface, hole.centre, hole.radius - 1.0, 0.5 * linear(look.pocket))
            inward = np.sign(middle - hole.centre) * (hole.radius * 0.22)
            if hole.pocket.startswith("middle"):
                inward[1] = 0.0
            for part, shade in ((0.80, 0.22), (0.74, 0.08), (0.68, 0.012)):
                canvas.disc(surface, hole.centre + inward, hole.radius * part, shade * linear(look.pocket))


def _faint_line(canvas: Canvas, surface: Floats, table: PlayingTable, line: Floats) -> None:
    spec = table.spec
    y = spec.length_mm / 4
    canvas.stroke(surface, np.column_stack([np.linspace(0, spec.width_mm, 40), np.full(40, y)]), 1.6, line)


def _wear(
    canvas: Canvas, surface: Floats, table: PlayingTable, look: Look, rng: np.random.Generator, chalk: Floats
) -> None:
    spec = table.spec
    for _ in range(int(90 * look.wear)):
        place = np.array([rng.uniform(10, spec.width_mm - 10), rng.uniform(10, spec.length_mm - 10)])
        strength = rng.uniform(0.05, 0.3)
        colour = (1 - strength) * linear(look.cloth) + strength * chalk
        canvas.disc(surface, place, rng.uniform(0.8, 2.4), colour)
    for _ in range(int(16 * look.wear)):
        start = np.array([rng.uniform(100, spec.width_mm - 100), rng.uniform(100, spec.length_mm - 100)])
        way = rng.standard_normal(2)
        way = way / np.linalg.norm(way) * rng.uniform(20, 90)
        points = start + np.linspace(0, 1, 6)[:, None] * way
        canvas.stroke(surface, points, 1.4, 0.95 * linear(look.cloth) + 0.05 * chalk)


def top_surface(canvas: Canvas, table: PlayingTable, look: Look, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Cushion tops, rails and fittings (rows, columns, 3), and where they are (rows, columns)."""
    rail, cushion = table.rail_mm, table.cushion_mm
    cloth = linear(look.cloth) * cloth_texture(canvas, look, rng)[..., None]
    rows, columns = np.mgrid[0 : canvas.shape[0], 0 : canvas.shape[1]].astype(np.float32) * canvas.mm_per_px
    points = np.stack([columns + canvas.origin[0], rows + canvas.origin[1]], axis=-1)
    surface = cloth * 1.05
    wood = linear(look.wood) * _wood_grain(canvas, table, rng)[..., None]
    on_cloth = canvas.rectangle(points, table, cushion)
    gap = canvas.rectangle(points, table, cushion + 2.5) - on_cloth
    surface = surface * on_cloth[..., None] + wood * (1 - on_cloth[..., None]) * (1 - 0.6 * gap[..., None])
    edge = canvas.rectangle(points, table, rail) - canvas.rectangle(points, table, rail - 14.0, round_mm=look.round_mm)
    surface *= (1.0 - 0.4 * np.clip(edge, 0, 1))[..., None]
    gloss = canvas.rectangle(points, table, rail - 16.0) - canvas.rectangle(points, table, rail - 34.0)
    sheen = cv2.GaussianBlur(gloss, (0, 0), 7.0 / canvas.mm_per_px)
    surface += (0.05 * np.clip(sheen, 0, 1))[..., None]
    through = open_area(canvas, table)
    rim = cv2.GaussianBlur(through, (0, 0), 2.2 / canvas.mm_per_px)
    surface *= (1.0 + 0.35 * np.clip(rim, 0, 0.5) * on_cloth)[..., None]
    if look.sights:
        _sights(canvas, surface, table, look)
    _fittings(canvas, surface, table, look)
    for _ in range(look.chalks):
        _chalk(canvas, surface, table, rng)
    alpha = canvas.rectangle(points, table, rail, round_mm=look.round_mm) * (1.0 - through)
    return np.asarray(surface, np.float32), np.asarray(alpha, np.float32)


def _wood_grain(canvas: Canvas, table: PlayingTable, rng: np.random.Generator) -> Floats:
    rows, columns = canvas.shape
    across = 0.07 * mottled(canvas.shape, rng, (rows // 3, 9)) + 0.05 * mottled(canvas.shape, rng, (rows // 9, 5))
    along = 0.07 * mottled(canvas.shape, rng, (9, columns // 3)) + 0.05 * mottled(canvas.shape, rng, (5, columns // 9))
    y = np.arange(rows)[:, None] * canvas.mm_per_px + canvas.origin[1]
    ends = (y < -table.cushion_mm) | (y > table.spec.length_mm + table.cushion_mm)
    return np.asarray(1.0 + np.where(ends, across, along), np.float32)


def _sights(canvas: Canvas, surface: Floats, table: PlayingTable, look: Look) -> None:
    spec = table.spec
    out = (table.cushion_mm + table.rail_mm) / 2
    for k in range(1, 8):
        if k != 4:
            for x in (-out, spec.width_mm + out):
                canvas.disc(surface, np.array([x, spec.length_mm * k / 8]), 6.0, linear(look.sight))
    for k in range(1, 4):
        for y in (-out, spec.length_mm + out):
            canvas.disc(surface, np.array([spec.width_mm * k / 4, y]), 6.0, linear(look.sight))


def _chalk(canvas: Canvas, surface: Floats, table: PlayingTable, rng: np.random.Generator) -> None:
    """A cube of chalk on a long rail."""
    out = (table.cushion_mm + table.rail_mm) / 2 + rng.uniform(-15, 15)
    x = rng.choice([-out, table.spec.width_mm + out])
    place = np.array([x, table.spec.length_mm * rng.choice([0.18, 0.31, 0.69, 0.82])])
    turn = rng.uniform(0, np.pi)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    box = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ axes
    canvas.fill(surface, place + 15.0 * box + 3.0, 0.02 * np.ones(3, np.float32))
    canvas.fill(surface, place + 11.0 * box, linear((70, 122, 172)))
    canvas.disc(surface, place, 6.0, linear((36, 74, 116)))


def _fittings(canvas: Canvas, surface: Floats, table: PlayingTable, look: Look) -> None:
    """Corner plates and the leather or plastic around each hole."""
    spec = table.spec
    rail = table.rail_mm
    corners = spec.pocket_corners()
    for hole in table.holes:
        corner = np.array(corners[hole.pocket])
        out = np.sign(corner - np.array([spec.width_mm / 2, spec.length_mm / 2]))
        middle = hole.pocket.startswith("middle")
        reach = hole.radius + (26.0 if look.casting == "leather" else 34.0)
        if middle:
            box = np.array([(0.0, -reach), (1.0, -reach), (1.0, reach), (0.0, reach)])
            box[:, 0] = np.where(box[:, 0] > 0, rail, table.cushion_mm - 4)
            box[:, 0] = corner[0] + out[0] * box[:, 0]
            box[:, 1] += corner[1]
        else:
            inner = table.cushion_mm - 4 if look.casting == "leather" else table.cushion_mm
            leg = 40.0 if look.casting == "leather" else 118.0
            base = np.array([(rail, rail), (rail, -leg), (inner, -leg), (inner, inner), (-leg, inner), (-leg, rail)])
            box = corner + out * base
        canvas.fill(surface, box, linear(look.plate))
        canvas.disc(surface, hole.centre, hole.radius + 17.0, linear(look.pocket))
        canvas.disc(surface, hole.centre, hole.radius + 8.0, 0.6 * linear(look.pocket))


@dataclass(frozen=True)
class Floor:
    """A carpet or floor, mirrored every few metres so that no seam shows."""

    tile: Floats
    mm_per_px: float

    @cached_property
    def size(self) -> int:
        return len(self.tile)

    def at(self, points: Array) -> Floats:
        """(…, 3) its light at points in table mm."""
        last = self.size - 1
        where = np.abs(np.mod(points / self.mm_per_px, 2 * last) - last).astype(np.float32)
        return np.asarray(cv2.remap(self.tile, where[..., 0], where[..., 1], cv2.INTER_LINEAR), np.float32)


def floor_surface(look: Look, rng: np.random.Generator) -> Floor:
    """A carpet in the look's floor colour."""
    shape = (700, 700)
    texture = 1.0 + 0.10 * mottled(shape, rng, (9, 9)) + 0.06 * mottled(shape, rng, (120, 120))
    return Floor(np.asarray(linear(look.floor) * texture[..., None], np.float32), 9.0)
