"""Pairing at least cost, against all ways to pair that there are."""

from itertools import permutations

import numpy as np
import pytest

from vision import assignment
from vision.assignment import linear_sum_assignment


@pytest.mark.parametrize("shape", [(1, 1), (3, 3), (2, 4), (4, 2)])
def test_no_other_pairs_cost_less(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        cost = rng.integers(-9, 10, shape).astype(np.float64)
        rows, columns = linear_sum_assignment(cost)
        wide = cost if shape[0] <= shape[1] else cost.T
        every = permutations(range(wide.shape[1]), len(wide))
        assert cost[rows, columns].sum() == min(wide[np.arange(len(wide)), list(way)].sum() for way in every)
        assert list(rows) == sorted(set(rows)) and len(set(columns)) == len(columns) == min(shape)


def test_what_cannot_be_paired_is_refused() -> None:
    with pytest.raises(ValueError, match="infeasible"):
        linear_sum_assignment(np.full((2, 2), np.inf))


def test_a_scipy_that_keeps_its_solver_elsewhere_is_asked_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from scipy.optimize import linear_sum_assignment as public

    monkeypatch.setattr(assignment.PathFinder, "find_spec", lambda name, path=None: None)
    assert assignment._solver() is public
