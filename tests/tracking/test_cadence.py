"""A 25 per second source shown at 30: the pictures' true times come back from stamps and motion."""

import numpy as np
import pytest

from tracking.cadence import even_times, refined_times


def shown(dropped: int | None) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """True times, stamps, frames, shown again: each of 30 frames a second shows the last source picture of 25.

    dropped: one in five pictures of the source, by its place in the five, that never made it into the stream.
    """
    true, stamps, frames, again = [], [], [], []
    last = -1
    for frame in range(240):
        source = int(frame * 25 / 30 + 1e-9)
        if dropped is not None and source % 5 == dropped:
            source -= 1
        if source == last:
            again[-1] = True
            continue
        last = source
        true.append(source / 25)
        stamps.append(frame / 30)
        frames.append(frame)
        again.append(False)
    return np.array(true), np.array(stamps), np.array(frames), np.array(again)


def test_an_even_beat_is_evened_out() -> None:
    true, stamps, _, again = shown(None)
    assert np.ptp(stamps - true) > 0.025
    times = even_times(stamps, again)
    assert np.ptp((times - true)[15:-15]) < 0.003


def test_without_repeats_the_stamps_stand() -> None:
    stamps = np.cumsum(np.random.default_rng(2).uniform(0.02, 0.05, 100))
    assert even_times(stamps, np.zeros(100, dtype=bool)) == pytest.approx(stamps)


def test_moving_balls_tell_an_uneven_beat() -> None:
    true, stamps, frames, again = shown(2)
    rng = np.random.default_rng(4)
    places = np.stack([100 + 900 * true - 30 * true**2, 3000 - 1500 * true + 60 * true**2], axis=1)
    run = (np.arange(len(true)), places + rng.normal(0, 2, places.shape), np.full(len(true), 2.0))
    times = refined_times(stamps, even_times(stamps, again), frames, [run])
    off = (times - true)[15:-15]
    assert np.std(stamps - true) > 0.009
    assert np.std(off) < 0.004
