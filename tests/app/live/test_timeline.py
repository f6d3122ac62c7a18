"""Times never go back, whatever the stamps do; gaps keep their length by the clock."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.app.live.timeline import Timeline


def live(**begin: bool) -> Timeline:
    timeline = Timeline()
    timeline.begin(live=True, **begin)
    return timeline


def test_a_live_stream_counts_from_nothing_and_keeps_its_own_steps() -> None:
    timeline = live()
    times = [timeline.stamp(1000.0 + k / 50, 7.0 + k / 50 + 0.003 * (k % 2)) for k in range(5)]
    assert times == pytest.approx([0.0, 0.02, 0.04, 0.06, 0.08])
    assert timeline.offset_s == -1000.0


def test_a_files_stamps_are_kept_as_they_are() -> None:
    timeline = Timeline()
    timeline.begin(live=False)
    assert [timeline.stamp(t, 50.0) for t in (0.5, 0.54, 0.7)] == [0.5, 0.54, 0.7]


def test_a_new_connection_goes_on_by_the_clock() -> None:
    timeline = live()
    timeline.stamp(10.0, 100.0)
    timeline.stamp(10.1, 100.1)
    timeline.begin(live=True)
    assert timeline.stamp(500.0, 103.1) == pytest.approx(3.1)
    assert timeline.stamp(500.04, 103.14) == pytest.approx(3.14)
    assert timeline.offset_s == pytest.approx(3.1 - 500.0)


def test_a_repeated_stamp_brings_nothing_and_a_late_one_is_counted() -> None:
    timeline = live()
    timeline.stamp(1.0, 10.0)
    timeline.stamp(1.08, 10.08)
    assert timeline.stamp(1.08, 10.09) is None
    assert timeline.late == 0
    assert timeline.stamp(1.04, 10.1) is None
    assert timeline.late == 1
    assert timeline.stamp(1.12, 10.12) == pytest.approx(0.12)


@pytest.mark.parametrize("jump", [-40.0, 3600.0])
def test_a_clock_that_is_set_anew_moves_the_offset_and_not_the_time(jump: float) -> None:
    timeline = live()
    timeline.stamp(5.0, 10.0)
    timeline.stamp(5.04, 10.04)
    assert timeline.stamp(5.08 + jump, 10.08) == pytest.approx(0.08)
    assert timeline.stamp(5.12 + jump, 10.12) == pytest.approx(0.12)
    assert timeline.offset_s == pytest.approx(-5.0 - jump)


def test_stamps_that_stay_behind_are_given_up_after_a_few_pictures() -> None:
    timeline = live()
    timeline.stamp(5.0, 10.0)
    timeline.stamp(5.9, 10.9)
    later = [timeline.stamp(5.1 + 0.04 * k, 10.94 + 0.04 * k) for k in range(8)]
    assert later[:5] == [None] * 5
    assert later[5:] == pytest.approx([1.14, 1.18, 1.22])


def test_pictures_without_stamps_count_by_their_arrival() -> None:
    timeline = live(clocked=False)
    assert [timeline.stamp(None, 100.0 + k) for k in range(3)] == pytest.approx([0.0, 1.0, 2.0])
    timeline = live()
    assert [timeline.stamp(None, 100.0 + k) for k in range(24)] == [None] * 24
    assert timeline.stamp(None, 130.0) == 0.0
    assert timeline.stamp(None, 130.5) == pytest.approx(0.5)


def test_a_picture_without_a_stamp_among_others_comes_a_usual_step_after_the_last() -> None:
    timeline = live()
    assert timeline.stamp(None, 9.9) is None
    times = [timeline.stamp(raw, 10.0) for raw in (3.0, 3.02, None, 3.06)]
    assert times == pytest.approx([0.0, 0.02, 0.04, 0.06])
    assert timeline.place(3.5) == pytest.approx(0.5)


def test_stamps_that_run_at_another_speed_than_the_clock_are_not_believed() -> None:
    timeline = live()
    for k in range(301):
        timeline.stamp(k / 25, 10.0 + k / 10)
    assert timeline.by_arrival
    before = timeline.last_s
    assert before is not None
    assert timeline.stamp(999.0, 10.0 + 30.1) == pytest.approx(before + 0.1)


def test_a_resumed_match_goes_on_after_what_it_holds() -> None:
    timeline = live()
    timeline.start_from(812.5)
    assert timeline.stamp(3.0, 10.0) == pytest.approx(812.5)
    assert timeline.stamp(3.1, 10.1) == pytest.approx(812.6)


STAMPS = st.lists(
    st.tuples(st.one_of(st.none(), st.floats(-1e5, 1e5)), st.floats(1e-3, 5.0), st.booleans()), min_size=1, max_size=60
)


@given(STAMPS, st.booleans())
def test_time_only_ever_rises(steps: list[tuple[float | None, float, bool]], is_live: bool) -> None:
    timeline = Timeline()
    timeline.begin(live=is_live)
    clock, last = 50.0, -1e9
    for raw, passed, anew in steps:
        clock += passed
        if anew:
            timeline.begin(live=is_live)
        t_s = timeline.stamp(raw, clock)
        if t_s is not None:
            assert t_s > last
            last = t_s
