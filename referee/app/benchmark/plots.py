"""Plots as SVG that follow the page's colours: curves, ranges and the cells of a confusion table."""

import math
from collections.abc import Callable, Mapping, Sequence
from html import escape

WIDTH, LEFT, RIGHT, TOP, BOTTOM = 720.0, 64.0, 150.0, 12.0, 36.0
COLOURS = ("#2f6fb0", "#c2571a", "#2e8b57", "#8b5cb5", "#b8860b", "#c04a72", "#4f7f86", "#7a6a58")
Series = Mapping[str, Sequence[tuple[float, float]]]


def percentile(ordered: Sequence[float], share: float) -> float:
    """Of values in rising order, between the two nearest ones."""
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def cumulative(errors: Sequence[float], least: float, points: int = 60) -> list[tuple[float, float]]:
    """Points (error, share of the errors up to it), the errors at least ``least`` so that they fit a log axis."""
    ordered = sorted(max(least, error) for error in errors)
    shares = [k / (points - 1) for k in range(points)]
    return [(percentile(ordered, share), share) for share in shares] if ordered else []


def nice_step(span: float, parts: int = 6) -> float:
    """1, 2 or 5 times a power of ten that cuts a span into about so many parts."""
    raw = span / parts
    power = 10.0 ** math.floor(math.log10(raw))
    return power * next(step for step in (1.0, 2.0, 5.0, 10.0) if raw <= step * power * 1.0001)


def even_ticks(low: float, high: float) -> list[float]:
    step = nice_step(high - low)
    first = math.ceil(low / step - 1e-9)
    return [k * step for k in range(first, math.floor(high / step + 1e-9) + 1)]


def log_ticks(low: float, high: float) -> list[float]:
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks = [digit * 10.0**power for power in decades for digit in (1, 2, 5)]
    return [tick for tick in ticks if low * 0.999 <= tick <= high * 1.001]


def curves(series: Series, x_title: str, y_title: str, *, log_x: bool = False, height: float = 300.0) -> str:
    """Lines of several series over one another, each named at the side."""
    points = [point for line in series.values() for point in line]
    if not points:
        return ""
    x0, x1 = _span([x for x, _ in points], log_x)
    y0, y1 = _span([y for _, y in points], False)
    right, bottom = WIDTH - RIGHT, height - BOTTOM

    def at_x(x: float) -> float:
        share = math.log(x / x0) / math.log(x1 / x0) if log_x else (x - x0) / (x1 - x0)
        return LEFT + share * (right - LEFT)

    def at_y(y: float) -> float:
        return bottom - (y - y0) / (y1 - y0) * (bottom - TOP)

    parts = [_axis_y(tick, at_y(tick), right) for tick in even_ticks(y0, y1)]
    ticks = log_ticks(x0, x1) if log_x else even_ticks(x0, x1)
    parts += [_axis_x(tick, at_x(tick), TOP, bottom) for tick in ticks]
    for k, (name, line) in enumerate(series.items()):
        colour = COLOURS[k % len(COLOURS)]
        path = " ".join(f"{at_x(x):.1f},{at_y(y):.1f}" for x, y in line)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        if len(line) < 12:
            parts += [f'<circle cx="{at_x(x):.1f}" cy="{at_y(y):.1f}" r="3.5" fill="{colour}"/>' for x, y in line]
        y = TOP + 10 + 18 * k
        parts.append(f'<rect x="{right + 14:.0f}" y="{y - 5:.0f}" width="14" height="4" fill="{colour}"/>')
        parts.append(f'<text x="{right + 34:.0f}" y="{y + 2:.0f}">{escape(name)}</text>')
    parts.append(_titles(x_title, y_title, right, bottom))
    return _svg(parts, max(height, TOP + 18 * len(series) + BOTTOM))


def ranges(rows: Mapping[str, Sequence[float]], x_title: str, limit: float) -> str:
    """For each name the middle half of its values as a box, 5 to 95 % as a line, the median as a stroke, its count."""
    named = [(name, sorted(each)) for name, each in rows.items() if len(each)]
    if not named:
        return ""
    height = TOP + 26.0 * len(named) + BOTTOM
    left, right, bottom = 96.0, WIDTH - 70.0, height - BOTTOM

    def at(x: float) -> float:
        return left + (min(limit, max(-limit, x)) + limit) / (2 * limit) * (right - left)

    parts = [_axis_x(tick, at(tick), TOP, bottom) for tick in even_ticks(-limit, limit)]
    for k, (name, ordered) in enumerate(named):
        y = TOP + 26.0 * k + 13.0
        low, q1, middle, q3, high = (percentile(ordered, share) for share in (0.05, 0.25, 0.5, 0.75, 0.95))
        colour = COLOURS[0]
        parts.append(
            f'<line x1="{at(low):.1f}" x2="{at(high):.1f}" y1="{y}" y2="{y}" stroke="{colour}" stroke-width="2"/>'
        )
        parts.append(
            f'<rect x="{at(q1):.1f}" y="{y - 7}" width="{max(1.0, at(q3) - at(q1)):.1f}" height="14" rx="2" '
            f'fill="{colour}" fill-opacity="0.35" stroke="{colour}"/>'
        )
        parts.append(
            f'<line x1="{at(middle):.1f}" x2="{at(middle):.1f}" y1="{y - 9}" y2="{y + 9}" stroke="{COLOURS[1]}" '
            'stroke-width="3"/>'
        )
        parts.append(f'<text x="{left - 8}" y="{y + 4}" text-anchor="end">{escape(name)}</text>')
        parts.append(f'<text class="dim" x="{right + 8}" y="{y + 4}">{len(ordered)}</text>')
    parts.append(_below(x_title, (left + right) / 2, bottom))
    return _svg(parts, height)


def _span(found: Sequence[float], log: bool) -> tuple[float, float]:
    low, high = min(found), max(found)
    if log:
        return low, max(high, low * 1.01)
    if low == high:
        pad = abs(low) * 0.05 or 0.5
        return low - pad, high + pad
    return low - 0.04 * (high - low), high + 0.04 * (high - low)


def _number(value: float) -> str:
    return f"{value:.6g}".replace("-", "−")


def _axis_x(tick: float, x: float, top: float, bottom: float) -> str:
    line = f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{top:.1f}" y2="{bottom:.1f}"/>'
    return line + f'<text class="dim" x="{x:.1f}" y="{bottom + 15:.1f}" text-anchor="middle">{_number(tick)}</text>'


def _axis_y(tick: float, y: float, right: float) -> str:
    line = f'<line class="grid" x1="{LEFT}" x2="{right:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>'
    return line + f'<text class="dim" x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{_number(tick)}</text>'


def _below(title: str, middle: float, bottom: float) -> str:
    where = f'x="{middle:.0f}" y="{bottom + 31:.0f}" text-anchor="middle"'
    return f'<text class="dim" {where}>{escape(title)}</text>'


def _titles(x_title: str, y_title: str, right: float, bottom: float) -> str:
    x = _below(x_title, (LEFT + right) / 2, bottom)
    middle = (TOP + bottom) / 2
    turned = f'transform="rotate(-90 14 {middle:.0f})" text-anchor="middle"'
    return x + f'<text class="dim" x="14" y="{middle:.0f}" {turned}>{escape(y_title)}</text>'


def _svg(parts: Sequence[str], height: float) -> str:
    return f'<svg class="plot" viewBox="0 0 {WIDTH:.0f} {height:.0f}" role="img">{"".join(parts)}</svg>'


def confusion(counts: Mapping[str, Mapping[str, int]], shown: Callable[[str], str] = str) -> str:
    """An HTML table: a row a true finding, a column what was said, darker the more often."""
    order = ("fair", "foul", "open", "missing")
    columns = [
        name for name in order if any(name in row for row in counts.values()) or name in ("fair", "foul", "open")
    ]
    whole = max((n for row in counts.values() for n in row.values()), default=1)
    head = "".join(f"<th>{escape(shown(name))}</th>" for name in columns)
    lines = [f'<table class="confusion"><tr><th>true ↓ said →</th>{head}</tr>']
    for meant in order:
        if meant in counts:
            cells = "".join(_cell(counts[meant].get(said, 0), whole, _tone(meant, said)) for said in columns)
            lines.append(f"<tr><th>{escape(shown(meant))}</th>{cells}</tr>")
    return "".join(lines) + "</table>"


def _tone(meant: str, said: str) -> str:
    return "good" if said == meant else "open" if said in ("open", "missing") else "foul"


def _cell(count: int, whole: int, tone: str) -> str:
    if not count:
        return '<td class="dim">·</td>'
    share = 12 + round(40 * count / whole)
    return f'<td style="background: color-mix(in srgb, var(--{tone}) {share}%, transparent)">{count}</td>'
