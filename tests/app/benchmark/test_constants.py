"""A constant has another value wherever it is used, and only a plain number of the later stages can be named."""

import subprocess
import sys
from pathlib import Path

import pytest

from referee.app.benchmark.constants import ConstantError, number_of
from referee.app.benchmark.sweep import parse_sweep

DERIVED = """
from referee.app.benchmark.constants import set_number
set_number("tracking.filters.ACCELERATION_MM_S2", 111.0)
import inspect
from tracking import filters
print(filters.ACCELERATION_MM_S2, inspect.signature(filters.process_noise).parameters["acceleration_mm_s2"].default)
"""


def test_a_constants_value_is_that_of_the_source() -> None:
    from tracking import watcher

    assert number_of("tracking.watcher.STILL_S") == watcher.STILL_S


def test_defaults_made_from_it_have_the_new_value_too() -> None:
    done = subprocess.run([sys.executable, "-c", DERIVED], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["111.0", "111.0"]


def test_values_have_the_constants_type_and_come_once() -> None:
    assert parse_sweep("tracking.watcher.STILL_S=0.3, 0.4,0.4") == ("tracking.watcher.STILL_S", [0.3, 0.4])
    assert parse_sweep("tracking.watcher.PROVISIONAL_PICTURES=3,6") == ("tracking.watcher.PROVISIONAL_PICTURES", [3, 6])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("vision.observer.TRAIL=3", "only tracking and referee can be swept"),
        ("tracking.nothing.X=3", "there is no module tracking.nothing"),
        ("tracking.watcher.STILL=3", "has no such number; it has BLACKOUT_S, "),
        ("tracking.watcher.STILL_S=a", "must be of type float"),
    ],
)
def test_other_names_are_refused(text: str, message: str) -> None:
    with pytest.raises(ConstantError, match=message):
        parse_sweep(text)


def test_no_module_is_loaded_by_asking(tmp_path: Path) -> None:
    code = "import sys; from referee.app.benchmark.sweep import parse_sweep; parse_sweep('tracking.watcher.STILL_S=1');"
    code += "print('tracking.watcher' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
