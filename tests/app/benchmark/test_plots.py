"""Scales, percentiles and tables of the report, by hand."""

import pytest

from referee.app.benchmark.plots import (
    confusion,
    cumulative,
    curves,
    even_ticks,
    log_ticks,
    nice_step,
    percentile,
    ranges,
)


def test_percentiles_lie_between_the_two_nearest_values() -> None:
    ordered = [1.0, 2.0, 3.0, 5.0]
    assert [percentile(ordered, share) for share in (0.0, 0.5, 0.9, 1.0)] == pytest.approx([1.0, 2.5, 4.4, 5.0])
    assert percentile([7.0], 0.3) == 7.0


def test_a_cumulative_curve_rises_from_the_least_to_the_greatest_error() -> None:
    assert cumulative([3.0, 1.0, 0.001], 0.05, points=3) == [(0.05, 0.0), (1.0, 0.5), (3.0, 1.0)]
    assert cumulative([], 0.05) == []


def test_ticks_are_round() -> None:
    assert [nice_step(span) for span in (1.0, 4.0, 7.0, 30.0)] == pytest.approx([0.2, 1.0, 2.0, 5.0])
    assert even_ticks(-50.0, 50.0) == [-40.0, -20.0, 0.0, 20.0, 40.0]
    assert log_ticks(0.05, 3.0) == pytest.approx([0.05, 0.1, 0.2, 0.5, 1.0, 2.0])


def test_a_curve_of_one_value_and_of_none_can_be_drawn() -> None:
    assert "polyline" in curves({"a": [(1.0, 1.0), (2.0, 1.0)]}, "x", "y")
    assert curves({}, "x", "y") == ""
    assert ranges({"contact": []}, "ms", 50.0) == ""


def test_names_are_escaped() -> None:
    assert "<b>" not in curves({"<b>": [(0.0, 1.0), (1.0, 2.0)]}, "x", "y")


def test_a_confusion_table_has_a_column_for_what_is_missing_only_where_something_is() -> None:
    full = confusion({"fair": {"fair": 3, "missing": 1}, "foul": {"open": 2}})
    assert ">missing<" in full
    assert full.count("<tr>") == 3
    assert ">missing<" not in confusion({"fair": {"fair": 3}})
