"""Turns, scales, darkens, codes … the footage anew, and prints what of it is still right, kind by kind.

    python -m tests.perturbed_footage FOOTAGE --out OUT [--parts shots,padova-stills] [--only turned,dark] [--inputs 7]

FOOTAGE is the folder that `tests.footage_report` takes. Of each kind of change OUT/<kind>/footage gets changed copies
of the parts' inputs and truths, which are analyzed and scored as there; what is finished there is not done again.
``--inputs`` takes only those files of a part whose stems are named.
"""

import argparse
import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.app.names import kind as kind_of
from referee.app.score.analysis import read_analysis, read_json
from referee.app.score.events import first_contact, pots
from referee.app.score.figures import totals
from referee.app.simulate.film.encode import TIME_BASE, write_video
from tests.changed_pictures import CHANGES
from tests.footage_report import PARTS, Part, analyze, folders, scored_part
from vision.frames import PICTURE_SUFFIXES, VIDEO_SUFFIXES, Pixels, read_picture, video_frames

Array = NDArray[np.float64]
Size = tuple[int, int]

JITTER = 0.5
"""How much the steps from picture to picture vary, as a share of one."""
GOOD_CRF, POOR_CRF = 18, 34
SEED = 7


def _stays(size: Size) -> tuple[Array, Size]:
    return np.eye(2, 3), size


def _turned(size: Size) -> tuple[Array, Size]:
    return np.array([[-1.0, 0.0, size[0] - 1], [0.0, -1.0, size[1] - 1]]), size


def _mirrored(size: Size) -> tuple[Array, Size]:
    return np.array([[-1.0, 0.0, size[0] - 1], [0.0, 1.0, 0.0]]), size


def _tilted(size: Size) -> tuple[Array, Size]:
    """By 2 degrees about the middle, and a little aside."""
    matrix = cv2.getRotationMatrix2D(((size[0] - 1) / 2, (size[1] - 1) / 2), 2.0, 1.0)
    return np.asarray(matrix) + np.array([[0.0, 0.0, 0.012 * size[0]], [0.0, 0.0, -0.01 * size[1]]]), size


def _to_height(rows: int) -> Callable[[Size], tuple[Array, Size]]:
    def scaled(size: Size) -> tuple[Array, Size]:
        factor = rows / size[1]
        by = (factor - 1) / 2
        return np.array([[factor, 0.0, by], [0.0, factor, by]]), (2 * round(factor * size[0] / 2), rows)

    return scaled


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A change: where each pixel of a picture (width, height) goes, (2, 3), and the new size; what it looks like there.

    every: so many frames are one. crf: of the coding. turned: whether the picture's left has become its right.
    """

    place: Callable[[Size], tuple[Array, Size]] = _stays
    look: Callable[[Pixels], Pixels] | None = None
    every: int = 1
    jitter: float = 0.0
    crf: int = GOOD_CRF
    turned: bool = False

    def picture(self, picture: Pixels, how: int = cv2.INTER_LINEAR) -> Pixels:
        """The picture, or with INTER_NEAREST the mask, changed."""
        before = (picture.shape[1], picture.shape[0])
        matrix, size = self.place(before)
        if self.place is not _stays:
            if size[0] < before[0] and how != cv2.INTER_NEAREST:
                picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
            else:
                picture = np.asarray(
                    cv2.warpAffine(picture, matrix, size, flags=how, borderMode=cv2.BORDER_REPLICATE), np.uint8
                )
        return picture if self.look is None or how == cv2.INTER_NEAREST else self.look(picture)

    def frames(self, path: Path) -> Iterator[tuple[int, Pixels]]:
        """The frames of a clip, changed, each with its time in ticks of `TIME_BASE`."""
        rng = np.random.default_rng(SEED)
        early = 0.0
        for frame in video_frames(path):
            if frame.stamp.index % self.every:
                continue
            ticks = frame.stamp.t_s / float(TIME_BASE)
            if self.jitter and frame.stamp.index:
                early = float(rng.uniform(-self.jitter / 2, self.jitter / 2)) / (30.0 * float(TIME_BASE))
            yield round(ticks + early), self.picture(frame.bgr)

    def truth(self, truth: dict[str, Any], size: Size) -> dict[str, Any]:
        """The truth of a changed input of that size: its places in the picture and its frames' numbers."""
        matrix, _ = self.place(size)
        grown = float(np.sqrt(abs(np.linalg.det(matrix[:, :2]))))

        def box_of(box: list[float]) -> list[float]:
            low, high = np.array(box[:2], dtype=float), np.array(box[2:], dtype=float)
            middle, half = matrix @ [*((low + high) / 2), 1.0], grown * (high - low) / 2
            return [*(middle - half), *(middle + half)]

        changed = json.loads(json.dumps(truth))
        for ball in changed.get("balls", ()):
            if ball.get("u") is not None:
                ball["u"], ball["v"] = matrix @ [ball["u"], ball["v"], 1.0]
        for ball in changed.get("groups", ()):
            ball["box"] = box_of(ball["box"])
        for name, lines in changed.get("boxes", {}).items():
            kept = [line for line in lines if line[0] % self.every == 0]
            changed["boxes"][name] = [[line[0] // self.every, *box_of(line[1:])] for line in kept]
        for shot in changed.get("shots", ()):
            if "strike_frame" in shot:
                shot["strike_frame"] /= self.every
        if "fps" in changed:
            changed["fps"] /= self.every
        return dict(changed)


KINDS = {
    "unchanged": Kind(),
    "turned": Kind(place=_turned, turned=True),
    "mirrored": Kind(place=_mirrored, turned=True),
    "tilted": Kind(place=_tilted),
    "540 rows": Kind(place=_to_height(540)),
    "1080 rows": Kind(place=_to_height(1080)),
    "coarsely coded": Kind(crf=POOR_CRF),
    "half the frames": Kind(every=2),
    "uneven times": Kind(jitter=JITTER),
    **{name: Kind(look=look) for name, look in CHANGES.items()},
}
HANDED = ("snooker",)
"""Games of which a mirrored table is none."""


def _size_of(path: Path) -> Size:
    if path.suffix in VIDEO_SUFFIXES:
        return next(iter(video_frames(path))).size
    rows, columns = read_picture(path).shape[:2]
    return columns, rows


def inputs_of(part: Part, footage: Path, stems: list[str] | None) -> list[Path]:
    """The pictures and clips of a part."""
    found: list[Path] = []
    for pattern in part.inputs:
        place = footage / pattern
        found += place.iterdir() if place.is_dir() else footage.glob(pattern)
    media = [path for path in sorted(found) if path.suffix in PICTURE_SUFFIXES | VIDEO_SUFFIXES]
    return [path for path in media if stems is None or path.stem in stems]


def write_changed(kind: Kind, path: Path, to: Path) -> None:
    """The changed copy of a picture or a clip, and of its truths and mask."""
    is_video = path.suffix in VIDEO_SUFFIXES
    to = to.with_suffix(".mp4") if is_video and kind != Kind() else to
    if to.exists():
        return
    to.parent.mkdir(parents=True, exist_ok=True)
    size = _size_of(path)
    for truth in path.parent.glob(f"{path.stem}.*.json"):
        to.with_name(truth.name).write_text(json.dumps(kind.truth(read_json(truth), size)))
    mask = path.with_name(path.name.replace("frame_", "mask_"))
    if mask != path and mask.is_file():
        drawn = cv2.imread(str(mask), cv2.IMREAD_GRAYSCALE)
        assert drawn is not None
        cv2.imwrite(str(to.with_name(mask.name)), kind.picture(np.asarray(drawn, np.uint8), cv2.INTER_NEAREST))
    if kind == Kind():
        shutil.copyfile(path, to)
    elif is_video:
        write_video(to, kind.frames(path), size=kind.place(size)[1], crf=kind.crf, fps=30.0)
    else:
        cv2.imwrite(str(to), kind.picture(read_picture(path)))


def _turned_options(options: tuple[str, ...]) -> tuple[str, ...]:
    other = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}
    return tuple(other.get(option, option) for option in options)


def finals(out: Path, part: Part) -> tuple[int, int, list[str]]:
    """Final verdicts on clips of one shot that was read by eye, how many of them are wrong, and which."""
    count, wrong = 0, []
    for folder in folders(out, part):
        events = Path(read_json(folder / "summary.json")["input"]["path"]).with_suffix(".events.json")
        if not events.is_file():
            continue
        true = read_json(events)["shots"]
        for verdict in read_analysis(folder).verdicts or ():
            if verdict["undecided"] or verdict["legal"] is None:
                continue
            count += 1
            said = (verdict["legal"], sum((verdict.get("points") or {}).values()))
            if len(true) != 1 or said != (true[0]["legal"], true[0]["points"]):
                wrong.append(f"{folder.name}: final {verdict['announce']['en']}")
    return count, len(wrong), wrong


def story(folder: Path) -> list[Any]:
    """What each shot of an analysis came to: the ball hit first, and the pots."""
    shots = read_analysis(folder).shots or []
    first = [first_contact(shot) for shot in shots]
    return [
        (ball and kind_of(ball), sorted((kind_of(b), pocket) for b, pocket in pots([shot])))
        for shot, ball in zip(shots, first, strict=True)
    ]


def row(part: Part, out: Path, unchanged: Path, failed: list[str]) -> tuple[dict[str, str], list[str]]:
    """The figures of a part of one kind by name, and what to say of single inputs."""
    done = folders(out, part)
    figures = {"calibrated": f"{len(done)} of {len(done) + len(failed)}"}
    notes = [f"failed: {reason}" for reason in failed]
    scored = scored_part(out, part, part.truth) if part.truth else []
    if scored and part.rows is not None:
        figures |= {name.split(": ")[-1]: value for name, value, _ in part.rows(totals(scored), len(failed))}
    by_eye = scored_part(out, part, "events")
    if by_eye:
        total = totals(by_eye)["by_eye"]
        figures["strike, ball hit first"] = (
            f"{total['strike_right']}, {total['first_contact_right']} of {total['shots']}"
        )
        figures["shots, pots invented"] = f"{total['invented']}, {total['pots_invented']}"
        count, wrong, said = finals(out, part)
        figures["final verdicts, wrong ones"] = f"{count}, {wrong}"
        notes += said + [f"{one.stem}: {remark}" for one in by_eye for remark in one.figures["by_eye"]["remarks"]]
    if not part.truth:
        before = {folder.name: story(folder) for folder in folders(unchanged, part)}
        other = [folder.name for folder in done if story(folder) != before.get(folder.name)]
        figures["told as of the unchanged"] = f"{len(done) - len(other)} of {len(done)}"
        notes += [f"{name}: {story(out / part.name / name)}, unchanged {before.get(name)}" for name in other]
    return figures, notes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("footage", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--parts", default="shots", help="names of parts of the footage report, with commas between")
    parser.add_argument("--only", default=",".join(KINDS), help="kinds of change, with commas between")
    parser.add_argument("--inputs", help="stems of files, with commas between")
    parser.add_argument("--again", action="store_true", help="analyze anew")
    arguments = parser.parse_args()
    stems = arguments.inputs.split(",") if arguments.inputs else None
    more = ["--again"] if arguments.again else []
    for part in (part for part in PARTS if part.name in arguments.parts.split(",")):
        rows: dict[str, dict[str, str]] = {}
        for name in arguments.only.split(","):
            if name == "mirrored" and set(part.options) & set(HANDED):
                continue
            kind, out = KINDS[name], arguments.out / name.replace(" ", "-")
            for path in inputs_of(part, arguments.footage, stems):
                write_changed(kind, path, out / "footage" / path.relative_to(arguments.footage))
            options = _turned_options(part.options) if kind.turned else part.options
            failed = analyze(replace(part, options=options), out / "footage", out, more)
            rows[name], notes = row(part, out, arguments.out / "unchanged", failed)
            print(f"{part.name}, {name}: {rows[name]}", *notes, sep="\n  - ", flush=True)
        heads = list(dict.fromkeys(head for figures in rows.values() for head in figures))
        lines = [f"| {part.name} | {' | '.join(heads)} |", "| --- " * (len(heads) + 1) + "|"]
        lines += [f"| {name} | {' | '.join(each.get(head, '') for head in heads)} |" for name, each in rows.items()]
        print("\n".join(lines), flush=True)


if __name__ == "__main__":
    main()
