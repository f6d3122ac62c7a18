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
    number = np.arange(n, dtype=np.float64)
    for i in range(n):
        low, high = i, i
        while low > max(0, i - HALF_WINDOW) and not pause[low - 1]:
            low -= 1
        while high < min(n - 1, i + HALF_WINDOW) and not pause[high]:
            high += 1
        part = slice(low, high + 1)
        if high - low >= 5 and shown_again[part].any():
            line = np.polyfit(number[part] - i, t_s[part], 1)
            if np.abs(np.polyval(line, number[part] - i) - t_s[part]).max() < BEAT_MOST_S:
                times[i] = line[1]
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
    for i in range(len(shift)):
        same = ((frames - frames[i]) % BEAT_FRAMES == 0) & (np.abs(frames - frames[i]) < NEAR_FRAMES)
        same[i] = False
        weight = BEAT_SIGMA_S**-2
        usual[i] = (told[same] @ shift[same] + weight * even[i]) / (told[same].sum() + weight)
    return usual


def _ask(times: Array, rows: NDArray[np.intp], xy: Array, sigma: Array, pull: Array, weight: Array) -> None:
    """Adds what one ball says of each picture's time: its lag along the run behind its neighbours' smooth course."""
    for k in range(len(rows)):
        part = np.arange(max(0, k - 3), min(len(rows), k + 4))
        part = part[part != k]
        if len(part) < 5 or rows[part[-1]] - rows[part[0]] > 9:
            continue
        t = times[rows[part]] - times[rows[k]]
        steps = np.diff(xy[part], axis=0) / np.maximum(np.diff(t), 5e-3)[:, None]
        speeds = np.hypot(*steps.T)
        mean = steps.mean(axis=0)
        speed = float(np.hypot(*mean))
        if speed < LEAST_SPEED or speeds.max() > 3.5 * max(speeds.min(), 1.0) or (steps @ mean).min() < 0:
            continue
        basis = np.stack([np.ones_like(t), t, t**2], axis=1)
        fitted, *_ = np.linalg.lstsq(basis, xy[part], rcond=None)
        unit = fitted[1] / max(float(np.hypot(*fitted[1])), 1e-6)
        off = xy[k] - fitted[0]
        across = abs(float(unit[0] * off[1] - unit[1] * off[0]))
        lead_s = float(off @ unit) / speed
        if across > 4 * sigma[k] + 3.0 or abs(lead_s) > MOST_SHIFT_S:
            continue
        information = (speed / (1.5 * sigma[k])) ** 2
        pull[rows[k]] += information * lead_s
        weight[rows[k]] += information
