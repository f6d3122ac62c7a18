"""How far the work is, on standard error: bars on a terminal, now and then a plain line elsewhere."""

import sys
import time
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

PLAIN_EVERY_S = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A job's place: ``done`` of ``total`` frames (0: not known) of a stage. ``finished`` ends it."""

    stem: str
    stage: str = ""
    done: int = 0
    total: int = 0
    finished: bool = False


class Reporter(Protocol):
    """Shows steps, and lines of text between them."""

    def __enter__(self) -> "Reporter": ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None: ...

    def step(self, step: Step) -> None: ...

    def line(self, text: str) -> None: ...


class Bars:
    """A bar over all inputs, and one for each at work with its frames, rate and time left."""

    def __init__(self, inputs: int) -> None:
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=30),
            TextColumn("{task.fields[count]}"),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(compact=True),
            console=Console(stderr=True),
            transient=True,
        )
        self._inputs = inputs
        self._done = 0
        self._all = self._progress.add_task("all inputs", total=inputs, count=f"0/{inputs}", rate="")
        self._bars: dict[str, tuple[TaskID, str, float]] = {}

    def __enter__(self) -> "Bars":
        self._progress.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._progress.stop()

    def step(self, step: Step) -> None:
        bar = self._bars.get(step.stem)
        if bar is not None and (step.finished or bar[1] != step.stage):
            self._progress.remove_task(bar[0])
            del self._bars[step.stem]
            bar = None
        if step.finished:
            self._done += 1
            self._progress.update(self._all, completed=self._done, count=f"{self._done}/{self._inputs}")
            return
        if bar is None:
            task = self._progress.add_task(f"{step.stem}: {step.stage}", total=None, count="", rate="")
            bar = self._bars[step.stem] = task, step.stage, time.monotonic()
        count = f"{step.done}/{step.total} frames" if step.total else f"{step.done} frames" if step.done else ""
        elapsed = time.monotonic() - bar[2]
        rate = f"{step.done / elapsed:.0f} frames/s" if step.done and elapsed > 0.5 else ""
        self._progress.update(bar[0], completed=step.done, total=step.total or None, count=count, rate=rate)

    def line(self, text: str) -> None:
        self._progress.console.print(text, markup=False, highlight=False, soft_wrap=True)


class PlainLines:
    """For a log or a pipe: a line for a job that has been at work for long, and the lines given."""

    def __init__(self) -> None:
        self._since: dict[str, tuple[str, float, float]] = {}

    def __enter__(self) -> "PlainLines":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        return None

    def step(self, step: Step) -> None:
        now = time.monotonic()
        stage, began, spoke = self._since.get(step.stem, ("", now, now))
        if step.finished:
            self._since.pop(step.stem, None)
            return
        if stage != step.stage:
            stage, began, spoke = step.stage, now, now
        if step.done and now - spoke >= PLAIN_EVERY_S:
            rate = step.done / (now - began)
            left = f", {(step.total - step.done) / rate:.0f} s left" if step.total > step.done else ""
            of = f"/{step.total}" if step.total else ""
            self.line(f"{step.stem}: {stage}, {step.done}{of} frames, {rate:.0f} frames/s{left}")
            spoke = now
        self._since[step.stem] = stage, began, spoke

    def line(self, text: str) -> None:
        print(text, file=sys.stderr, flush=True)


def reporter(inputs: int) -> Reporter:
    """Bars where standard error is a terminal, plain lines where not."""
    return Bars(inputs) if sys.stderr.isatty() else PlainLines()
