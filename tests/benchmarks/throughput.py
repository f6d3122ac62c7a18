"""How fast a whole analysis is, as a share of decoding alone, and how its memory grows with a clip's length.

    python -m tests.benchmarks.throughput CLIP... --game snooker [--rounds 5] [--memory] [--length MM …]
    python -m tests.benchmarks.throughput CLIP... --game snooker --together [--jobs N]

Decoding and analyzing take turns in the same run; the figures are medians over the rounds. Without --together each clip
is taken by itself: both run in one process that has loaded everything, decoding on FFmpeg's own threads; the time of
each stage is printed, and what is missing from the whole is opening, hashing and writing files. With
--together all clips are one piece of work, `cueref analyze CLIP...`, and the time of that command counts, from starting
Python to its end. Decoding alone is measured in two ways: one clip after the other in one process on FFmpeg's threads,
and in as many processes as the command takes, started beforehand. With --memory the first clip is also strung together
1, 4 and 16 times, and the greatest memory of each analysis is printed.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from pathlib import Path

import av

from calibration.tables import DEFAULT_TABLE
from referee.app.analyze.inputs import find_inputs
from referee.app.analyze.job import run_job
from referee.app.analyze.pool import collect_seldom, cores
from referee.app.analyze.settings import Settings
from referee.app.analyze.work import Job
from referee.app.options import chosen_table

REPEATS = (1, 4, 16)


def decode(path: Path) -> tuple[int, float]:
    """Frames and seconds of decoding alone, with the threads that cueref uses."""
    began = time.perf_counter()
    with av.open(str(path)) as container:
        container.streams.video[0].thread_type = "AUTO"
        frames = sum(1 for _ in container.decode(video=0))
    return frames, time.perf_counter() - began


def analyze(path: Path, settings: Settings) -> tuple[float, float, dict[str, float]]:
    """Seconds of a whole analysis without an overlay, also of processor time, and seconds of each of its stages."""
    with tempfile.TemporaryDirectory() as folder:
        (source,), _ = find_inputs([str(path)])
        began, worked = time.perf_counter(), time.process_time()
        outcome = run_job(Job(source=source, settings=settings, out=Path(folder)), lambda step: None)
        spent, worked = time.perf_counter() - began, time.process_time() - worked
        if outcome.failure is not None:
            raise SystemExit(outcome.failure)
        summary = json.loads((Path(folder) / source.stem / "summary.json").read_text())
    return spent, worked, {stage: float(seconds) for stage, seconds in summary["spent_s"].items()}


def throughput(path: Path, settings: Settings, rounds: int) -> None:
    analyze(path, settings)  # loads everything once
    alone, whole, works, stages = [], [], [], []
    frames = 0
    for _ in range(rounds):
        frames, seconds = decode(path)
        alone.append(seconds)
        seconds, worked, spent = analyze(path, settings)
        whole.append(seconds)
        works.append(worked)
        stages.append(spent)
    calibrating = [spent["calibrate"] for spent in stages]
    a, w, p, c = (statistics.median(values) for values in (alone, whole, works, calibrating))
    each = {stage: 1000 * statistics.median(spent[stage] for spent in stages) / frames for stage in stages[0]}
    print(
        f"{path.name}: {frames} frames; decoding {frames / a:.0f} frames/s; whole analysis {frames / w:.0f} frames/s, "
        f"ratio {a / w:.2f}; without calibrating ({c:.2f} s) {frames / (w - c):.0f} frames/s, ratio {a / (w - c):.2f}\n"
        f"  ms a frame: {1000 * w / frames:.2f} ({1000 * p / frames:.2f} of processor time), of which "
        f"{', '.join(f'{name} {ms:.2f}' for name, ms in each.items())}",
        flush=True,
    )


def together(paths: list[Path], options: list[str], rounds: int, jobs: int) -> None:
    """All clips as one piece of work, by several processes at once."""
    command = [sys.executable, "-m", "referee", "analyze", *map(str, paths), *options, "--jobs", str(jobs)]
    one, several, whole = [], [], []
    frames = 0
    for _ in range(rounds):
        began = time.perf_counter()
        frames = sum(decode(path)[0] for path in paths)
        one.append(time.perf_counter() - began)
        with ProcessPoolExecutor(jobs) as pool:
            list(pool.map(decode, paths))  # starts them all
            began = time.perf_counter()
            list(pool.map(decode, paths))
            several.append(time.perf_counter() - began)
        with tempfile.TemporaryDirectory() as folder:
            began = time.perf_counter()
            subprocess.run([*command, "--out", folder], check=True, stderr=subprocess.DEVNULL)
            whole.append(time.perf_counter() - began)
    o, s, w = (statistics.median(values) for values in (one, several, whole))
    print(
        f"{len(paths)} clips together, {frames} frames: decoding {frames / o:.0f} frames/s in one process, "
        f"{frames / s:.0f} in {jobs}; the whole command with --jobs {jobs} {frames / w:.0f} frames/s, "
        f"ratio {o / w:.2f} and {s / w:.2f}",
        flush=True,
    )


def strung_together(path: Path, times: int, out: Path) -> None:
    """The clip so many times in a row, with rising times, without coding it again."""
    with av.open(str(out), "w") as sink:
        stream, shift, end = None, 0, 0
        for _ in range(times):
            with av.open(str(path)) as source:
                track = source.streams.video[0]
                if stream is None:
                    stream = sink.add_stream_from_template(track)
                step = int(1 / (track.average_rate or Fraction(25)) / track.time_base)
                for packet in source.demux(track):
                    if packet.dts is None:
                        continue
                    packet.pts, packet.dts = (packet.pts or 0) + shift, packet.dts + shift
                    end = max(end, packet.pts + step)
                    packet.stream = stream
                    sink.mux(packet)
            shift = end


def memory(path: Path, options: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for times in REPEATS:
            clip = Path(folder) / f"{times}{path.suffix}"
            strung_together(path, times, clip)
            command = [sys.executable, "-m", "referee", "analyze", str(clip), *options, "--jobs", "1"]
            measure = (
                "import resource, subprocess, sys\n"
                "subprocess.run(sys.argv[1:], check=True, stderr=subprocess.DEVNULL)\n"
                "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
            )
            result = subprocess.run(
                [sys.executable, "-c", measure, *command, "--out", f"{folder}/out"],
                capture_output=True,
                text=True,
                check=True,
            )
            unit = 1024 if sys.platform != "darwin" else 1024 * 1024
            print(f"{path.name} × {times}: at most {int(result.stdout) / unit:.0f} MiB", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clips", type=Path, nargs="+")
    parser.add_argument("--game", choices=tuple(DEFAULT_TABLE), default="snooker")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--together", action="store_true")
    parser.add_argument("--jobs", type=int, default=cores())
    for name in ("length", "width", "ball-diameter"):
        parser.add_argument(f"--{name}", type=float)
    arguments = parser.parse_args()
    table = chosen_table(arguments.game, None, arguments.length, arguments.width, arguments.ball_diameter)
    options = ["--game", arguments.game]
    for name in ("length", "width", "ball_diameter"):
        if getattr(arguments, name) is not None:
            options += [f"--{name.replace('_', '-')}", str(getattr(arguments, name))]
    if arguments.together:
        together(arguments.clips, options, arguments.rounds, arguments.jobs)
    else:
        collect_seldom()  # as in the command's processes
        for clip in arguments.clips:
            throughput(clip, Settings(game=arguments.game, table=table), arguments.rounds)
    if arguments.memory:
        memory(arguments.clips[0], options)


if __name__ == "__main__":
    main()
