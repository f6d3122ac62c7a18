"""When a picture was taken, where a stream repeats pictures to fill a faster rate.

A 25 per second source in a 30 per second stream shows every fifth picture twice, so the time stamps of the pictures
jump by 33 and 67 ms though they were taken 40 ms apart; at 5 m/s that is 10 cm. Without repeats the stamps stand.
"""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

LEAST_REPEATS = 0.04
"""Share of pictures shown again from which on a stream has a beat."""

HALF_WINDOW = 12
MOST_SHIFT_S = 0.03
BEAT_MOST_S = 0.021
"""Farther from an even beat than this no picture stands; where one does, no beat is known."""
BEAT_SIGMA_S = 0.015
USUAL_SIGMA_S = 0.006
TOLD_MOST = 0.005**-2
BEAT_FRAMES, NEAR_FRAMES = 12, 150
LEAST_SPEED = 250.0
_AROUND = np.array([-3, -2, -1, 1, 2, 3])
"""The neighbours that give a ball's smooth course; those beyond the first or last sight are left out, one at most."""
_T_SCALE_S, _RIDGE = 0.1, 1e-12


def even_times(t_s: Array, shown_again: NDArray[np.bool_]) -> Array:
    """(n,) times of pictures first shown at (n,) stamps: evened out near repeats, the stamps themselves elsewhere.

    Where nothing moves every picture looks repeated; such long pauses end the stretch that is evened out.
    """
    n = len(t_s)
    times = t_s.copy()
    if n < 4 or shown_again.mean() < LEAST_REPEATS:
        return times
    steps = np.diff(t_s)
    pause = steps > 2.6 * float(np.percentile(steps, 20))
    # where each stretch without a pause begins, and where it ends
    place = np.arange(n)
    begins = np.maximum.accumulate(np.concatenate([[0], np.where(pause, place[1:], 0)]))
    ends = np.minimum.accumulate(np.concatenate([np.where(pause, place[:-1], n - 1), [n - 1]])[::-1])[::-1]
    lows, highs = np.maximum(place - HALF_WINDOW, begins), np.minimum(place + HALF_WINDOW, ends)
    again = np.concatenate([[0], np.cumsum(shown_again)])
    asked = np.flatnonzero((highs - lows >= 5) & (again[highs + 1] > again[lows]))
    for i, low, high in zip(asked.tolist(), lows[asked].tolist(), highs[asked].tolist(), strict=True):
        t = t_s[low : high + 1]
        middle, middle_s = (low + high) / 2 - i, float(t.mean())
        from_middle = np.arange(low - i, high - i + 1) - middle
        step_s = (from_middle @ t) / (from_middle @ from_middle)
        if np.abs(middle_s + step_s * from_middle - t).max() < BEAT_MOST_S:
            times[i] = middle_s - step_s * middle
    return np.asarray(np.maximum.accumulate(times), dtype=np.float64)


def refined_times(
    stamps: Array,
    times: Array,
    frames: NDArray[np.intp],
    runs: list[tuple[NDArray[np.intp], Array, Array]],
    rounds: int = 8,
) -> Array:
    """Shifts times (n,) of pictures first shown at stamps (n,) in frames (n,) so that moving balls move smoothly.

    runs: for each ball the rows (m,) of its pictures, centres (m, 2) and 1 sigma (m,) in mm. All balls of a picture
    share its time, so a shift that several balls ask for is the picture's and not theirs. The beat comes back every
    few frames, so pictures at the same place in it lend each other their shift.
    """
    now, usual = times.copy(), times.copy()
    for turn in range(rounds):
        told = np.zeros(len(now))
        pull = np.zeros(len(now))
        for rows, xy, sigma in runs:
            _ask(now, rows, xy, sigma, pull, told)
        if turn >= 2:
            usual = stamps + _usual_shift(frames, now - stamps, np.minimum(told, TOLD_MOST), times - stamps)
        prior = BEAT_SIGMA_S**-2 if turn < 2 else USUAL_SIGMA_S**-2
        now = now + 0.6 * (pull + (usual - now) * prior) / (told + prior)
        now = stamps + np.clip(now - stamps, -MOST_SHIFT_S, MOST_SHIFT_S)
        now = np.maximum.accumulate(now)
    return now


def _usual_shift(frames: NDArray[np.intp], shift: Array, told: Array, even: Array) -> Array:
    """(n,) mean shift of the pictures around that stand at the same place in the beat, ``even`` where few tell."""
    usual = np.zeros(len(shift))
    prior = BEAT_SIGMA_S**-2
    for place in range(BEAT_FRAMES):
        (same,) = np.nonzero(frames % BEAT_FRAMES == place)
        number, weight, weighted = frames[same], told[same], told[same] * shift[same]
        first = np.searchsorted(number, number - NEAR_FRAMES, side="right")
        last = np.searchsorted(number, number + NEAR_FRAMES, side="left")
        around, total = (np.concatenate([[0.0], np.cumsum(values)]) for values in (weighted, weight))
        others = around[last] - around[first] - weighted
        usual[same] = (others + prior * even[same]) / (total[last] - total[first] - weight + prior)
    return usual


def _ask(times: Array, rows: NDArray[np.intp], xy: Array, sigma: Array, pull: Array, weight: Array) -> None:
    """Adds what one ball says of each picture's time: its lag along the run behind its neighbours' smooth course."""
    n = len(rows)
    _ask_within(np.arange(3, n - 3), _AROUND, times, rows, xy, sigma, pull, weight)
    if n >= len(_AROUND):
        _ask_within(np.array([2]), _AROUND[1:], times, rows, xy, sigma, pull, weight)
        _ask_within(np.array([n - 3]), _AROUND[:-1], times, rows, xy, sigma, pull, weight)


def _ask_within(
    asked: NDArray[np.intp],
    around: NDArray[np.intp],
    times: Array,
    rows: NDArray[np.intp],
    xy: Array,
    sigma: Array,
    pull: Array,
    weight: Array,
) -> None:
    """`_ask` of the sights ``asked`` (k,), with their neighbours at ``around`` (m,) from each."""
    part = asked[:, None] + around
    near = rows[part[:, -1]] - rows[part[:, 0]] <= 9
    asked, part = asked[near], part[near]
    if not len(asked):
        return
    t = times[rows[part]] - times[rows[asked], None]
    steps = np.diff(xy[part], axis=1) / np.maximum(np.diff(t, axis=1), 5e-3)[..., None]
    speeds = np.hypot(steps[..., 0], steps[..., 1])
    mean = steps.mean(axis=1)
    speed = np.hypot(mean[:, 0], mean[:, 1])
    runs = (speed >= LEAST_SPEED) & (speeds.max(axis=1) <= 3.5 * np.maximum(speeds.min(axis=1), 1.0))
    runs &= np.einsum("kma,ka->km", steps, mean).min(axis=1) >= 0
    asked, part, t, speed = asked[runs], part[runs], t[runs] / _T_SCALE_S, speed[runs]
    basis = np.stack([np.ones_like(t), t, t * t], axis=1)
    normal = basis @ basis.transpose(0, 2, 1) + _RIDGE * np.eye(3)
    fitted = np.linalg.solve(normal, basis @ xy[part])
    unit = fitted[:, 1] / np.maximum(np.hypot(fitted[:, 1, 0], fitted[:, 1, 1]), 1e-6 * _T_SCALE_S)[:, None]
    off = xy[asked] - fitted[:, 0]
    across = np.abs(unit[:, 0] * off[:, 1] - unit[:, 1] * off[:, 0])
    lead_s = np.einsum("ka,ka->k", off, unit) / speed
    told = (across <= 4 * sigma[asked] + 3.0) & (np.abs(lead_s) <= MOST_SHIFT_S)
    information = (speed[told] / (1.5 * sigma[asked[told]])) ** 2
    np.add.at(pull, rows[asked[told]], information * lead_s[told])
    np.add.at(weight, rows[asked[told]], information)
