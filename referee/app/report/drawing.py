"""The table and a shot as SVG: balls before and after, the paths between, and where things happened."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from calibration.tables import TableSpec
from referee.app.palette import CLOTH, CUSHION, MARKING, POCKET, RAIL, ball_colour, css, is_striped

RAIL_MM = 150.0
Paths = Mapping[str, Sequence[tuple[float, float]]]


def _circle(x: float, y: float, r: float, style: str) -> str:
    return f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{r:.0f}" {style}/>'


def _bed(table: TableSpec) -> list[str]:
    """Rails, cloth, pockets and markings; y points up because the caller's group is flipped."""
    width, length = table.width_mm, table.length_mm
    parts = [
        f'<rect x="{-RAIL_MM}" y="{-RAIL_MM}" width="{width + 2 * RAIL_MM}" height="{length + 2 * RAIL_MM}" rx="40" '
        f'fill="{css(RAIL)}"/>',
        f'<rect x="-48" y="-48" width="{width + 96}" height="{length + 96}" fill="{css(CUSHION)}"/>',
        f'<rect x="0" y="0" width="{width}" height="{length}" fill="{css(CLOTH)}"/>',
    ]
    for name, (x, y) in table.pocket_corners().items():
        middle = name.startswith("middle")
        mouth = table.middle_mouth_mm if middle else table.corner_mouth_mm
        out = 0.35 * mouth if middle else 0.1 * mouth
        dx = out if x > width / 2 else -out
        dy = 0.0 if middle else out if y > length / 2 else -out
        parts.append(_circle(x + dx, y + dy, 0.62 * mouth, f'fill="{css(POCKET)}"'))
    line = f'fill="none" stroke="{css(MARKING)}" stroke-width="6"'
    if table.baulk_line_y_mm is not None and table.d_radius_mm is not None:
        y, r = table.baulk_line_y_mm, table.d_radius_mm
        parts.append(f'<path d="M0 {y} H{width} M{width / 2 + r} {y} A{r} {r} 0 0 0 {width / 2 - r} {y}" {line}/>')
    parts += [_circle(x, y, 9, f'fill="{css(MARKING)}"') for x, y in table.spots.values()]
    return parts


def _ball(table: TableSpec, name: str, at: Sequence[float], ghost: bool) -> str:
    """A ball with its name as a tooltip; a ghost is where it lay before."""
    x, y, r = at[0], at[1], table.ball_radius_mm * 1.25
    colour = css(ball_colour(name))
    title = f"<title>{escape(name)}: {x:.0f}, {y:.0f} mm</title>"
    if ghost:
        ring = f'fill="none" stroke="{colour}" stroke-width="9" stroke-dasharray="14 10" opacity="0.8"'
        return f"<g>{title}{_circle(x, y, r, ring)}</g>"
    edge = 'stroke="#101410" stroke-width="5"'
    if is_striped(name):
        band = _circle(x, y, 0.6 * r, f'fill="{colour}"')
        white = _circle(x, y, r, f'fill="#fafaf4" {edge}')
        return f"<g>{title}{white}{band}</g>"
    whole = _circle(x, y, r, f'fill="{colour}" {edge}')
    return f"<g>{title}{whole}</g>"


def _path(name: str, points: Sequence[tuple[float, float]]) -> str:
    line = " ".join(f"{x:.0f},{y:.0f}" for x, y in points)
    return (
        f'<polyline points="{line}" fill="none" stroke="{css(ball_colour(name))}" stroke-width="11" '
        f'stroke-linejoin="round" opacity="0.85"><title>{escape(name)}</title></polyline>'
    )


def table_svg(
    table: TableSpec,
    balls: Mapping[str, Sequence[float]],
    *,
    before: Mapping[str, Sequence[float]] | None = None,
    paths: Paths | None = None,
    label: str = "",
) -> str:
    """The table lying on its side, baulk end at the left: ``balls`` where they lie, dashed where they lay before."""
    margin = RAIL_MM + 10
    box = f"{-margin} {-margin} {table.length_mm + 2 * margin} {table.width_mm + 2 * margin}"
    parts = _bed(table)
    parts += [_path(name, points) for name, points in (paths or {}).items() if len(points) > 1]
    for name, at in (before or {}).items():
        now = balls.get(name)
        if now is None or abs(now[0] - at[0]) + abs(now[1] - at[1]) > table.ball_radius_mm:
            parts.append(_ball(table, name, at, ghost=True))
    parts += [_ball(table, name, at, ghost=False) for name, at in balls.items()]
    # Table x (to the right across) becomes the drawing's y downwards, table y (up the table) its x.
    inner = f'<g transform="matrix(0 1 1 0 0 0)">{"".join(parts)}</g>'
    return f'<svg viewBox="{box}" role="img" aria-label="{escape(label)}" class="table">{inner}</svg>'


def last_places(rows: Sequence[dict[str, Any]]) -> dict[str, tuple[float, float]]:
    """Where each ball of rows of the tracks was last, without those that left the table."""
    places: dict[str, tuple[float, float]] = {}
    for row in rows:
        if row["x"] is None:
            places.pop(row["ball"], None)
        else:
            places[row["ball"]] = (row["x"], row["y"])
    return places


def shot_paths(rows: Sequence[dict[str, Any]], least_mm: float) -> dict[str, list[tuple[float, float]]]:
    """Each ball's path over rows of the tracks, thinned to steps of ``least_mm``; balls that lay still are left out."""
    paths: dict[str, list[tuple[float, float]]] = {}
    last: dict[str, tuple[float, float]] = {}
    for row in rows:
        if row["x"] is None:
            continue
        at = last[row["ball"]] = (row["x"], row["y"])
        path = paths.setdefault(row["ball"], [at])
        if abs(at[0] - path[-1][0]) + abs(at[1] - path[-1][1]) >= least_mm:
            path.append(at)
    for name, path in paths.items():
        if path[-1] != last[name]:
            path.append(last[name])
    return {name: path for name, path in paths.items() if len(path) > 2}
