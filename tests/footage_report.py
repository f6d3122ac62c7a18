"""Analyzes the whole development footage and prints how it compares with its truth, figure by figure.

    python -m tests.footage_report FOOTAGE --out OUT [--only stills,shots] [--again]

FOOTAGE is the folder with bucharest/, overhead-stills/, overhead-shots/, padova/, matches/ and tables/. Each part is
analyzed by ``cueref analyze`` into OUT/<part> (what is finished there is not done again) and scored as ``cueref score``
does; OUT/<part>.score.json has every figure, OUT/report.md the table.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.app.score.analysis import read_analysis, read_json, read_json_lines
from referee.app.score.figures import Scored, score_one, totals

MEASURED = ("--length", "1881", "--width", "943", "--ball-diameter", "52.3")
# The ends of a pool table look alike: the truth takes the picture's right for the head end, so that is said.
BAULK = ("--baulk", "right")
Row = tuple[str, str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Inputs analyzed with the same options. ``truth``: suffix of the truth files beside them."""

    name: str
    inputs: tuple[str, ...]
    options: tuple[str, ...]
    truth: str = ""
    rows: Callable[[dict[str, Any], int], list[Row]] | None = None


def stills_rows(total: dict[str, Any], failed: int) -> list[Row]:
    return [
        ("Bucharest stills: number of balls right", share(total["count"], failed), "45 of 50"),
        ("Bucharest stills: all colours right", share(total["colours"], failed), "43 of 50"),
    ]


def overhead_rows(total: dict[str, Any], failed: int) -> list[Row]:
    found = total["detection"]
    return [
        ("overhead stills: balls missed, invented", f"{found['false_negatives']}, {found['false_positives']}", "0, 0"),
        ("overhead stills: centre, median px", f"{total['position']['px']['median_px']}", "1.6"),
        ("overhead stills: colours right", share(total["identity"]), ""),
    ]


def shots_rows(total: dict[str, Any], failed: int) -> list[Row]:
    return [
        ("Bucharest shots: pot or no pot right", share(total["pot"]["pot_or_none"], failed), "23 of 25"),
        ("Bucharest shots: ball and pocket right", share(total["pot"]["ball_and_pocket"]), "13 of 16"),
        ("Bucharest shots: tracks right", share(total["boxes"], 2 * failed), "41 of 50"),
    ]


def padova_rows(total: dict[str, Any], failed: int) -> list[Row]:
    return [
        ("Padova: mAP at IoU 0.5", f"{total['detection']['map50']} {total['detection']['ap50']}", "0.55"),
        ("Padova: mIoU of the masks", f"{total['mask']['miou']}", ""),
    ]


def share(part: dict[str, Any], failed: int = 0) -> str:
    """What was not analyzed at all is not right either."""
    return f"{part['right']} of {part['of'] + failed}"


PARTS = (
    Part(name="stills", inputs=("bucharest/stills",), options=("--game", "snooker"), truth="truth", rows=stills_rows),
    Part(
        name="overhead-stills",
        inputs=("overhead-stills",),
        options=("--game", "snooker", *MEASURED),
        truth="truth",
        rows=overhead_rows,
    ),
    Part(
        name="padova-stills",
        inputs=("padova/*/frame_*.png",),
        options=("--game", "8-ball"),
        truth="truth",
        rows=padova_rows,
    ),
    Part(name="padova", inputs=("padova/*/*.mp4",), options=("--game", "8-ball")),
    Part(name="shots", inputs=("bucharest/shots",), options=("--game", "snooker"), truth="truth", rows=shots_rows),
    Part(name="overhead-shots", inputs=("overhead-shots",), options=("--game", "snooker", *MEASURED)),
    Part(name="snooker", inputs=("matches/overhead_snooker.mp4",), options=("--game", "snooker")),
    Part(name="9-ball", inputs=("matches/overhead_9ball_*",), options=("--game", "9-ball", *BAULK)),
    Part(name="8-ball", inputs=("matches/overhead_8ball_break.mp4",), options=("--game", "8-ball", *BAULK)),
    # Carom is none of the games; its three balls are watched as pyramid's cue ball and others would be.
    Part(name="low-light", inputs=("matches/overhead_low_light.mp4",), options=("--game", "pyramid-combined")),
    Part(name="tables", inputs=("tables",), options=("--game", "8-ball")),
)


def analyze(part: Part, footage: Path, out: Path, more: list[str]) -> list[str]:
    """Runs ``cueref analyze`` and returns what failed, a line each."""
    inputs = [str(footage / name) for name in part.inputs]
    command = [sys.executable, "-m", "referee", "analyze", *inputs, *part.options, "--out", str(out / part.name), *more]
    subprocess.run(command, check=False)
    failed = out / part.name / "failed.jsonl"
    return [line["reason"] for line in read_json_lines(failed)] if failed.is_file() else []


def truth_of(folder: Path, suffix: str) -> tuple[Path, dict[str, Any]] | None:
    """The truth beside the input that a folder was made from."""
    source = Path(read_json(folder / "summary.json")["input"]["path"])
    truth = source.with_name(f"{source.stem}.{suffix}.json")
    return (source, read_json(truth)) if truth.is_file() else None


def folders(out: Path, part: Part) -> list[Path]:
    """The finished analyses of a part, without those of earlier runs whose input fails now."""
    place = out / part.name
    failed = place / "failed.jsonl"
    lost = {line["stem"] for line in read_json_lines(failed)} if failed.is_file() else set()
    found = sorted(path for path in place.iterdir() if (path / "summary.json").is_file()) if place.is_dir() else []
    return [path for path in found if path.name not in lost]


def scored_part(out: Path, part: Part, suffix: str) -> list[Scored]:
    scored = []
    for folder in folders(out, part):
        found = truth_of(folder, suffix)
        if found is not None:
            source, truth = found
            mask = (
                source.with_name(source.name.replace("frame_", "mask_")) if source.name.startswith("frame_") else None
            )
            scored.append(score_one(read_analysis(folder), truth, mask))
    return scored


def calibration_row(out: Path, part: Part, failed: list[str]) -> Row:
    worst = [read_json(folder / "calibration.json")["residual_max_px"] for folder in folders(out, part)]
    largest = f", worst marking {max(worst):.1f} px" if worst else ""
    return (f"{part.name}: calibrated", f"{len(worst)} of {len(worst) + len(failed)}{largest}", "all")


def unanalyzed(out: Path, part: Part) -> list[dict[str, Any]]:
    """The by-eye truths of inputs that failed: nothing in them was found."""
    failed = out / part.name / "failed.jsonl"
    sources = [Path(line["input"]) for line in read_json_lines(failed)] if failed.is_file() else []
    truths = [source.with_name(f"{source.stem}.events.json") for source in sources]
    return [read_json(truth) for truth in truths if truth.is_file()]


def by_eye_rows(out: Path, chosen: list[Part]) -> tuple[list[Row], list[str]]:
    scored = [one for part in chosen for one in scored_part(out, part, "events")]
    lost = [truth for part in chosen for truth in unanalyzed(out, part)]
    if not scored:
        return [], []
    total = totals(scored)["by_eye"]
    shots = total["shots"] + sum(len(truth["shots"]) for truth in lost)
    pots = total["pots"] + sum(len(shot["pots"]) for truth in lost for shot in truth["shots"])
    rows = [
        ("by eye: strike within 3 frames", f"{total['strike_right']} of {shots}", "32 of 36"),
        ("by eye: ball hit first right", f"{total['first_contact_right']} of {shots}", "29 of 36"),
        ("by eye: ball and pocket of pots right", f"{total['pots_right']} of {pots}", "21 of 26"),
        ("by eye: shots invented, pots invented", f"{total['invented']}, {total['pots_invented']}", "0"),
    ]
    remarks = [f"{one.stem}: {remark}" for one in scored for remark in one.figures["by_eye"]["remarks"]]
    return rows, remarks


def called_rows(out: Path) -> list[Row]:
    """The calls in the four shots of the snooker match."""
    verdicts = out / "snooker" / "overhead_snooker" / "verdicts.jsonl"
    if not verdicts.is_file():
        return []
    said = [", ".join(verdict["announce"]["en"]) or "—" for verdict in read_json_lines(verdicts)]
    return [("overhead_snooker: calls", "; ".join(said), "One; Five; Six; Eleven")]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("footage", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--only", help="names of parts, with commas between")
    parser.add_argument("--again", action="store_true", help="analyze anew")
    parser.add_argument("--overlay", action="store_true", help="also write the overlays")
    parser.add_argument("--jobs", default="1")
    arguments = parser.parse_args()
    wanted = arguments.only.split(",") if arguments.only else [part.name for part in PARTS]
    chosen = [part for part in PARTS if part.name in wanted]
    more = ["--jobs", arguments.jobs, *(f"--{name}" for name in ("again", "overlay") if getattr(arguments, name))]
    arguments.out.mkdir(parents=True, exist_ok=True)
    rows: list[Row] = []
    notes: list[str] = []
    for part in chosen:
        failed = analyze(part, arguments.footage, arguments.out, more)
        notes += [f"failed: {reason}" for reason in failed]
        rows.append(calibration_row(arguments.out, part, failed))
        scored = scored_part(arguments.out, part, part.truth) if part.truth else []
        if scored and part.rows is not None:
            total = totals(scored)
            rows += part.rows(total, len(failed))
            figures = {"inputs": {one.stem: one.figures for one in scored}, "totals": total}
            (arguments.out / f"{part.name}.score.json").write_text(json.dumps(figures, indent=1) + "\n")
    eye, remarks = by_eye_rows(arguments.out, chosen)
    rows += eye + called_rows(arguments.out)
    lines = ["| figure | measured | wanted |", "| --- | --- | --- |", *(f"| {a} | {b} | {c} |" for a, b, c in rows)]
    text = "\n".join([*lines, "", *(f"- {note}" for note in notes + remarks)])
    (arguments.out / "report.md").write_text(text + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
