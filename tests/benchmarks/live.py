"""A clip played as a camera: the same verdicts as when it is analyzed, how late the calls are, and at what cost.

    python -m tests.benchmarks.live CLIP... --game snooker [--calibration FILE]
    python -m tests.benchmarks.live CLIP... --game snooker --cpu-time
    python -m tests.benchmarks.live CLIP --game snooker --passes 48

Each clip is played at its own pace into a match of its own, with its video recorded, and its verdicts are compared
with those of ``cueref analyze``. Printed: pictures left out, verdicts that differ, seconds from the light of the
picture that closed a shot to its call, from all balls at rest to the verdict, from a wrong first contact to its early
call, and CPU seconds per second of play.

With --cpu-time the same delays are worked out from the CPU time that each picture takes, as on a machine that has one
core to spare for it, whatever else runs on this one; no picture is left out then.

How far it has come is shown on the way, and the last line of each clip is its figures as JSON.

With --passes the first clip is played so often as fast as can be, a match each time, and the memory, open files and
threads after each pass are printed.
"""

import argparse
import json
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import av
import cv2

from calibration.result import Calibration
from calibration.tables import DEFAULT_TABLE, TABLES
from referee.app.analyze.calibrating import calibration_for
from referee.app.analyze.inputs import find_inputs
from referee.app.analyze.job import run_job
from referee.app.analyze.opening import table_json
from referee.app.analyze.settings import Settings
from referee.app.analyze.work import Job
from referee.app.desk.desk import Desk
from referee.app.desk.matches import Matches
from referee.app.live.eye import Eye
from referee.app.live.inbox import Picture
from referee.app.live.latency import Latency
from referee.app.live.reader import Reader
from referee.app.live.recorder import Recorder
from referee.app.live.sources import FileSource
from referee.app.live.state import SeenTable, Status
from referee.app.live.watch import MatchWatch
from referee.app.options import read_calibration
from tracking.records import Contact, Event, Positions, Rest, ShotRecord
from vision.frames import video_frames

SAME = ("legal", "fouls", "penalty", "points", "score", "potted", "next", "break", "frame", "undecided", "announce")
Verdict = Mapping[str, Any]
TOLD_EVERY_S = 30.0
"""Of the clip, from one line of how far it has come to the next."""
SHOWN = 400
"""Characters of a field that differs."""

FIRST_LOOK = 60
"""Pictures after which the time lost in taking the first one apart is caught up with."""


@dataclass(slots=True)
class Heard:
    """The calls as those who look on get them: when, and what; and when the light of each picture came."""

    calls: list[tuple[float, Mapping[str, Any]]] = field(default_factory=list)
    light: dict[float, float] = field(default_factory=dict)

    def light_at(self, t_s: float) -> float | None:
        """When the light of this moment came, by the clock; None where no picture is near it."""
        near = min(self.light, key=lambda t: abs(t - t_s), default=None)
        return None if near is None or abs(near - t_s) > 0.2 else self.light[near] + (t_s - near)


@contextmanager
def watching(
    clip: Path, game: str, calibration: Path | None, speed: float, root: Path
) -> Iterator[tuple[Eye, Matches]]:
    source = FileSource(path=clip, speed=speed)
    recorder = Recorder(root)
    reader = Reader(source, keep=recorder.keep)
    given = read_calibration(calibration) if calibration is not None else None
    eye = Eye(source, reader=reader, recorder=recorder, calibration=given, auto=True)
    matches = Matches(root, camera=True)
    matches.on_change(lambda desk: eye.rest() if desk is None else eye.watch(desk, desk.folder))
    eye.start()
    try:
        yield eye, matches
    finally:
        matches.end()
        eye.stop()


def header(game: str) -> dict[str, Any]:
    """As an analysis has it: nobody said how many frames win."""
    return {"game": game, "players": ["A", "B"], "table": table_json(TABLES[DEFAULT_TABLE[game]])}


def wait_for_the_end(eye: Eye, told: Callable[[float], None] = lambda t_s: None) -> None:
    while (state := eye.state()).status not in (Status.ENDED, Status.FAILED):
        told(state.t_s or 0.0)
        time.sleep(0.1)


class Told:
    """Shows how far a clip has come, every ``TOLD_EVERY_S`` of it."""

    def __init__(self, clip: Path) -> None:
        self.clip, self.last_s, self.verdicts = clip, 0.0, 0
        with av.open(str(clip)) as opened:
            self.whole_s = (opened.duration or 0) / av.time_base

    def __call__(self, t_s: float) -> None:
        if t_s - self.last_s >= TOLD_EVERY_S:
            self.last_s = t_s
            print(f"  … {t_s:.0f} of {self.whole_s:.0f} s, {self.verdicts} verdicts", flush=True)


def listen(matches: Matches, heard: Heard, stop: threading.Event) -> threading.Thread:
    woken = threading.Event()
    subscription = matches.hub.subscribe(woken.set)

    def run() -> None:
        while not stop.is_set():
            woken.wait(0.5)
            woken.clear()
            now = time.monotonic()
            for message in subscription.take():
                if message.body.get("type") == "call":
                    heard.calls.append((now, message.body["call"]))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


def play(clip: Path, game: str, calibration: Path | None) -> None:
    heard, stop = Heard(), threading.Event()
    with (
        tempfile.TemporaryDirectory() as folder,
        watching(clip, game, calibration, 1.0, Path(folder)) as (eye, matches),
    ):
        put = eye.reader.inbox.put

        def noted(picture: Picture, **how: Any) -> None:
            heard.light[picture.t_s] = picture.captured_s
            put(picture, **how)

        eye.reader.inbox.put = noted  # type: ignore[method-assign]
        thread = listen(matches, heard, stop)
        desk = matches.create(header(game))
        while eye.calibration is None or not heard.light:
            time.sleep(0.05)
        told = Told(clip)

        def tell(t_s: float) -> None:
            told.verdicts = len(desk.match.shots)
            told(t_s)

        cpu_s = time.process_time()
        wait_for_the_end(eye, tell)
        cpu_s = time.process_time() - cpu_s
        state = eye.state()
        matches.end()
        stop.set()
        thread.join()
        verdicts = [line.verdict for line in desk.match.lines if isinstance(line.item, ShotRecord)]
        records = [line.item for line in desk.match.lines if isinstance(line.item, ShotRecord)]
        log = [json.loads(line) for line in (desk.folder / "log.jsonl").read_text(encoding="utf-8").splitlines()]
    print(f"{clip}: {state.frames} pictures watched, {state.dropped} left out")
    unseen = [f"{line['t0']:.2f} to {line['t1']:.2f} s {line['reason']}" for line in log if line["type"] == "gap"]
    print(f"  not all was seen: {', '.join(unseen) or 'never'}")
    print(f"  light to call: p50 {_s(state.latency_p50_s)}, p95 {_s(state.latency_p95_s)}; "
          f"all at rest to the verdict: p50 {_s(state.verdict_p50_s)}, p95 {_s(state.verdict_p95_s)}")  # fmt: skip
    early = [
        late for when, call in heard.calls if call["early"] and (late := since_contact(call, when, records, heard))
    ]
    print(f"  wrong first contact to its early call: {', '.join(f'{late:.2f} s' for late in early) or 'none'}")
    cores = cpu_s / max(heard.light)
    print(f"  CPU: {cores:.2f} s per second of play", flush=True)
    figures = {
        "pictures": state.frames,
        "left_out": state.dropped,
        "light_to_call_s": [state.latency_p50_s, state.latency_p95_s],
        "rest_to_verdict_s": [state.verdict_p50_s, state.verdict_p95_s],
        "early_calls_s": [round(late, 3) for late in early],
        "cpu_per_second": round(cores, 3),
    }
    compare(clip, game, calibration, verdicts, figures)


def compare(
    clip: Path, game: str, calibration: Path | None, verdicts: Sequence[Verdict], figures: dict[str, Any]
) -> None:
    """With those of an analysis of the same clip; prints what differs, and all figures."""
    wanted = analyzed(clip, game, calibration)
    differing = [n for n, (a, b) in enumerate(zip(verdicts, wanted, strict=False), 1) if not same(a, b)]
    print(f"  {len(verdicts)} verdicts, {len(wanted)} when analyzed; differing: {differing or 'none'}")
    for n in differing:
        a, b = verdicts[n - 1], wanted[n - 1]
        fields = [name for name in SAME if json.loads(json.dumps(a[name])) != b[name]]
        print(f"    shot {n}: {a['announce']['en']} for {b['announce']['en']}")
        for name in fields:
            print(f"      {name}: {json.dumps(a[name])[:SHOWN]} for {json.dumps(b[name])[:SHOWN]}")
    more = {"verdicts": len(verdicts), "analyzed": len(wanted), "differing": differing}
    print(json.dumps({"clip": str(clip), **more, **figures}), flush=True)


class Worked:
    """A clerk that has the desk called at once, so that its work counts with that of the picture."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.closed: list[ShotRecord] = []
        self.early: list[float] = []

    def record(self, record: ShotRecord, captured_s: float | None, rest_s: float | None) -> None:
        self.desk.record(record)
        self.closed.append(record)

    def running(self, events: tuple[Event, ...], before: Positions | None, t_s: float, **more: Any) -> None:
        seq = self.desk.seq
        self.desk.running(events, before, t_s, **more)
        if self.desk.seq != seq:
            self.early.append(next(event.t_s for event in events if isinstance(event, Contact)))

    def seen(self, table: SeenTable) -> None:
        self.desk.seen(table)

    def gap(self, *span: Any) -> None:
        self.desk.gap(*span)


def work_out(clip: Path, game: str, calibration: Path | None) -> None:
    """Pictures come at their times; each is begun when it has come and the one before it is done."""
    given = read_calibration(calibration) if calibration is not None else calibrated(clip, game)
    light, rest, early = Latency(), Latency(), Latency()
    done_s, busy_s, t_s, behind_s, pictures = 0.0, 0.0, 0.0, 0.0, 0
    told = Told(clip)
    with tempfile.TemporaryDirectory() as folder:
        clerk = Worked(Matches(Path(folder), camera=True).create(header(game)))
        watch = MatchWatch(clerk, game, given, rows=lambda rows: None, paced=True)  # type: ignore[arg-type]
        for number, frame in enumerate(video_frames(clip)):
            t_s, pictures = frame.stamp.t_s, number + 1
            began = time.thread_time()
            watch.picture(Picture(frame=frame, captured_s=0.0, connection=1))
            spent_s = time.thread_time() - began
            busy_s += spent_s
            done_s = max(done_s, t_s) + spent_s
            if number > FIRST_LOOK:
                behind_s = max(behind_s, done_s - t_s)
            for record in clerk.closed:
                light.add(done_s - t_s)
                rest_s = next((event.t_s for event in record.events if isinstance(event, Rest)), None)
                if rest_s is not None:
                    rest.add(done_s - rest_s)
            for contact_s in clerk.early:
                early.add(done_s - contact_s)
            clerk.closed, clerk.early = [], []
            told.verdicts = len(clerk.desk.match.shots)
            told(t_s)
        watch.finish()
        verdicts = [line.verdict for line in clerk.desk.match.lines if isinstance(line.item, ShotRecord)]
    print(f"{clip}: by CPU time, {busy_s / t_s:.2f} s of looking and judging per second of play; "
          f"at most {behind_s:.2f} s behind")  # fmt: skip
    said = {"light_to_call_s": light, "rest_to_verdict_s": rest, "early_calls_s": early}
    figures: dict[str, Any] = {"pictures": pictures, "cpu_per_second": round(busy_s / t_s, 3), "behind_s": behind_s}
    for name, delays in said.items():
        p50, p95 = delays.percentile(0.5), delays.percentile(0.95)
        print(f"  {name.removesuffix('_s').replace('_', ' ')}: p50 {_s(p50)}, p95 {_s(p95)}, of {len(delays.delays_s)}")
        figures[name] = [p50, p95]
    compare(clip, game, calibration, verdicts, figures)


def calibrated(clip: Path, game: str) -> Calibration:
    (source,), _ = find_inputs([str(clip)])
    return calibration_for(source, Settings(game=game, table=TABLES[DEFAULT_TABLE[game]]))


def _s(value: float | None) -> str:
    return "none" if value is None else f"{value:.2f} s"


def since_contact(call: Mapping[str, Any], when: float, records: Sequence[ShotRecord], heard: Heard) -> float | None:
    record = next((each for each in records if each.n == call["n"]), None)
    contact = next((e for e in record.events if isinstance(e, Contact)), None) if record is not None else None
    light = heard.light_at(contact.t_s) if contact is not None else None
    return None if light is None else when - light


def analyzed(clip: Path, game: str, calibration: Path | None) -> list[Verdict]:
    given = read_calibration(calibration) if calibration is not None else None
    settings = Settings(game=game, table=TABLES[DEFAULT_TABLE[game]], calibration=given)
    with tempfile.TemporaryDirectory() as folder:
        (source,), _ = find_inputs([str(clip)])
        print("  analyzing the same clip", flush=True)
        outcome = run_job(Job(source=source, settings=settings, out=Path(folder)), lambda step: None)
        if outcome.failure is not None:
            raise SystemExit(outcome.failure)
        lines = (Path(folder) / source.stem / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines]


def same(a: Verdict, b: Verdict) -> bool:
    return all(json.loads(json.dumps(a[name])) == b[name] for name in SAME)


def memory_mib() -> float:
    """Resident now."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return float("nan")


def passes(clip: Path, game: str, calibration: Path | None, count: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        with watching(clip, game, calibration, float("inf"), root) as (eye, matches):
            for number in range(1, count + 1):
                matches.create(header(game))
                while eye.state().status is not Status.LIVE:
                    time.sleep(0.02)
                wait_for_the_end(eye)
                played = number * (eye.state().t_s or 0.0) / 3600
                matches.end()
                files = len(list(Path("/proc/self/fd").iterdir()))
                print(f"pass {number}: {played:.2f} h of play; {memory_mib():.0f} MiB, {files} open files, "
                      f"{threading.active_count()} threads", flush=True)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clips", type=Path, nargs="+")
    parser.add_argument("--game", choices=tuple(DEFAULT_TABLE), required=True)
    parser.add_argument("--calibration", type=Path)
    parser.add_argument("--cpu-time", action="store_true")
    parser.add_argument("--passes", type=int, default=0)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    if arguments.passes:
        passes(arguments.clips[0], arguments.game, arguments.calibration, arguments.passes)
        return
    for clip in arguments.clips:
        (work_out if arguments.cpu_time else play)(clip, arguments.game, arguments.calibration)


if __name__ == "__main__":
    main()
