"""The one place where work is spread: in this process, or over a pool of processes on this machine."""

import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
Tell = Callable[[Any], None]
"""How a job says how far it is; what it says must be picklable."""

COLLECTED_AFTER = 50_000
"""New objects."""

LOADED = ("referee.app.analyze.job",)
"""What takes long to load of what an analysis needs."""


class WorkerLost(Exception):
    """A worker process ended in the middle of a job."""


def cores() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def collect_seldom() -> None:
    """Lets Python look for unreachable cycles less often.

    By default it looks after every 700 new objects: several times a frame, and mostly at what lives as long as the
    clip does.
    """
    gc.freeze()
    gc.set_threshold(COLLECTED_AFTER, 20, 50)


def run_all(
    work: Callable[[Item, Tell], Result], items: Sequence[Item], jobs: int, listen: Tell, load: Sequence[str] = ()
) -> Iterator[tuple[Item, Result | WorkerLost]]:
    """The results in the order in which they are ready. ``work`` and the items must be picklable where jobs > 1.

    ``listen`` gets what the jobs tell; it may be called from another thread. A job whose process dies gives
    WorkerLost; an exception of ``work`` itself is raised. ``load``: modules that ``work`` needs, loaded once for all
    processes where the system allows it.
    """
    if jobs <= 1 or len(items) <= 1:
        for item in items:
            yield item, work(item, listen)
        return
    context = _context(load)
    messages, stop = context.Queue(), context.Event()
    listener = threading.Thread(target=_forward, args=(messages, listen), daemon=True)
    listener.start()
    count = min(jobs, len(items))
    threads = max(1, cores() // count)
    executor = ProcessPoolExecutor(count, mp_context=context, initializer=_begin, initargs=(messages, stop, threads))
    try:
        futures = {executor.submit(_call, work, item): item for item in items}
        for future in as_completed(futures):
            try:
                yield futures[future], future.result()
            except BrokenProcessPool:
                yield futures[future], WorkerLost("the process that worked on it ended unexpectedly")
    finally:
        stop.set()
        executor.shutdown(wait=True, cancel_futures=True)
        messages.put(None)
        listener.join()


def get_ready(load: Sequence[str] = LOADED) -> None:
    """Begins to load what the processes of `run_all` will need, where they are copied from one that has it."""
    context = _context(load)
    if context.get_start_method() == "forkserver":
        from multiprocessing import forkserver

        forkserver.ensure_running()


def _context(load: Sequence[str]) -> Any:
    """How processes begin: copied from one that has loaded what they need; anew on macOS, where libraries forbid it."""
    if sys.platform == "darwin":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(load))
    return context


_messages: Any = None
_stop: Any = None


def _begin(messages: Any, stop: Any, threads: int) -> None:
    """In a worker: an interrupt is the parent's to handle, which then asks the jobs to stop.

    threads: its share of the cores; more would only wait for those of the other workers.
    """
    import cv2

    from vision.frames import set_decoding_threads

    global _messages, _stop
    _messages, _stop = messages, stop
    cv2.setNumThreads(threads)
    set_decoding_threads(threads)
    collect_seldom()
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _tell(message: Any) -> None:
    if _stop.is_set():
        raise KeyboardInterrupt
    _messages.put(message)


def _call(work: Callable[[Item, Tell], Result], item: Item) -> Result:
    return work(item, _tell)


def _forward(messages: Any, listen: Tell) -> None:
    while (message := messages.get()) is not None:
        listen(message)
