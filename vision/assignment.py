"""Whom to pair with whom at least cost: SciPy's solver by shortest augmenting paths (Crouse 2016).

The compiled module that holds it needs nothing but NumPy. `scipy.optimize`, which offers it, loads half of SciPy: a
third of the time that a process takes to start.
"""

from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


def _solver() -> Any:
    """The function by itself, or as `scipy.optimize` gives it where SciPy keeps it elsewhere."""
    package = find_spec("scipy")
    for folder in (package.submodule_search_locations or ()) if package is not None else ():
        found = PathFinder.find_spec("_lsap", [str(Path(folder) / "optimize")])
        if found is None or found.loader is None:
            continue
        try:
            module = module_from_spec(found)
            found.loader.exec_module(module)
            return module.linear_sum_assignment
        except (ImportError, AttributeError):
            continue
    from scipy.optimize import linear_sum_assignment

    return linear_sum_assignment


_solve = _solver()


def linear_sum_assignment(cost: NDArray[Any]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows and columns (min(n, m),) of the pairs of a matrix (n, m) whose costs sum up to the least, rows rising.

    Raises ValueError for a matrix that holds nan or allows for no such pairs.
    """
    rows, columns = _solve(cost)
    return rows, columns
