"""When the last ball stops: drawn from how it slows down, whatever its last crawl looks like."""

import numpy as np
import pytest
from scene import DECELERATION, Look, observe, play

from tracking.records import Rest, ShotRecord
from tracking.watcher import ShotWatcher


def rest_of(speed: float, look: Look) -> tuple[Rest, float]:
    """The rest that is told of a cue ball which rolls alone, and when it truly stops: v / a after the strike."""
    truth = play({"cue": (889.0, 400.0), "pink": (300.0, 3000.0)}, (0.0, speed))
    watcher = ShotWatcher(truth.table, truth.ball_set)
    records: list[ShotRecord] = []
    for frame in observe(truth, look):
        records += watcher.step(frame)
    (record,) = records + watcher.finish()
    (rest,) = [event for event in record.events if isinstance(event, Rest)]
    return rest, 1.0 + speed / DECELERATION


@pytest.mark.parametrize("seed", range(4))
def test_the_last_crawl_is_drawn_from_the_way_before_it(seed: int) -> None:
    # 480 mm/s lose 120 mm/s²: it stops after 4 s and 960 mm; of its last 0.2 s it makes 2.4 mm, hidden by the noise.
    rest, stops_s = rest_of(480.0, Look(noise_mm=1.0, seed=seed))
    assert stops_s == pytest.approx(5.0)
    assert rest.t_s == pytest.approx(stops_s, abs=0.05)
    assert abs(rest.t_s - stops_s) < 3.0 * rest.t_sigma_s < 0.25


def test_sharper_places_date_it_better() -> None:
    errors = [abs(rest.t_s - stops) for rest, stops in (rest_of(480.0, Look(noise_mm=0.3, seed=s)) for s in range(4))]
    assert float(np.mean(errors)) < 0.025
