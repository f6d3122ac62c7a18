"""MOTA, IDF1 and HOTA of random scenes against what reference implementations give for them.

The numbers are those of TrackEval 1.3.0 (HOTA and its parts, IDF1) and py-motmetrics 1.4.0 (MOTA, IDF1 and counts)
on the same similarities, a match needing 0.5.
"""

from typing import Any

import numpy as np
import pytest

from referee.app.score.tracking_figures import Scene, clear_mot, hota, idf1, similarity

REFERENCE: dict[int, dict[str, Any]] = {
    1: {
        "mota": 0.532468,
        "misses": 12,
        "false_positives": 13,
        "switches": 11,
        "idf1": 0.451613,
        "hota": 0.349889,
        "deta": 0.581749,
        "assa": 0.211364,
    },
    2: {
        "mota": 0.654321,
        "misses": 16,
        "false_positives": 4,
        "switches": 8,
        "idf1": 0.746667,
        "hota": 0.529983,
        "deta": 0.610286,
        "assa": 0.464145,
    },
    3: {
        "mota": 0.682927,
        "misses": 6,
        "false_positives": 3,
        "switches": 4,
        "idf1": 0.708861,
        "hota": 0.52694,
        "deta": 0.611436,
        "assa": 0.456624,
    },
    4: {
        "mota": 0.783333,
        "misses": 18,
        "false_positives": 13,
        "switches": 8,
        "idf1": 0.771831,
        "hota": 0.543745,
        "deta": 0.636822,
        "assa": 0.464577,
    },
    5: {
        "mota": 0.638158,
        "misses": 21,
        "false_positives": 17,
        "switches": 17,
        "idf1": 0.433333,
        "hota": 0.312655,
        "deta": 0.58314,
        "assa": 0.167937,
    },
    6: {
        "mota": 0.771739,
        "misses": 10,
        "false_positives": 5,
        "switches": 6,
        "idf1": 0.681564,
        "hota": 0.487771,
        "deta": 0.675562,
        "assa": 0.352755,
    },
}


def wandering_balls(seed: int) -> list[Scene]:
    """Balls of 50 mm that wander, are missed, swap tracks and are invented now and then."""
    rng = np.random.default_rng(seed)
    n, frames = int(rng.integers(2, 7)), int(rng.integers(5, 40))
    places = rng.uniform(0, 600, (n, 2))
    tracks = np.arange(n)
    scenes = []
    for _ in range(frames):
        places = places + rng.normal(0, 12, (n, 2))
        if rng.random() < 0.15:
            one, two = rng.choice(n, 2, replace=False)
            tracks[[one, two]] = tracks[[two, one]]
        true = np.flatnonzero(rng.random(n) < 0.93)
        found = np.flatnonzero(rng.random(n) < 0.88)
        xy, ids = places[found] + rng.normal(0, 9, (len(found), 2)), tracks[found]
        if rng.random() < 0.2:
            xy, ids = np.vstack([xy, rng.uniform(0, 600, (1, 2))]), np.append(ids, n)
        scenes.append(Scene(true_ids=true, found_ids=ids, similarity=similarity(places[true], xy, 50.0)))
    return scenes


@pytest.mark.parametrize("seed", REFERENCE)
def test_figures_are_those_of_the_reference_implementations(seed: int) -> None:
    scenes = wandering_balls(seed)
    found = {**clear_mot(scenes), "idf1": idf1(scenes)[0], **hota(scenes)}
    assert found == pytest.approx(REFERENCE[seed], abs=1e-4)
