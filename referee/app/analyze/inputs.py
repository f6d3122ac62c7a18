"""What the user named: files, folders, globs and sequences of pictures, each with the name of its output folder."""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from pathlib import Path

from vision.frames import PICTURE_SUFFIXES, VIDEO_SUFFIXES, Frame, SourceError, picture_sequence, video_frames

DEFAULT_SEQUENCE_RATE = Fraction(25)
_NUMBERED = re.compile(r"%0?(\d*)d")
_SIGNATURES = {
    b"\x89PNG\r\n\x1a\n": "PNG",
    b"\xff\xd8\xff": "JPEG",
    b"BM": "BMP",
    b"II*\x00": "TIFF",
    b"MM\x00*": "TIFF",
}


class InputKind(StrEnum):
    VIDEO = "video"
    STILL = "still"
    SEQUENCE = "sequence"


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """One thing to analyze. ``files`` is one file, or a sequence's pictures in order; ``rate`` is the sequence's."""

    kind: InputKind
    path: Path
    stem: str
    files: tuple[Path, ...]
    rate: Fraction | None = None
    rate_assumed: bool = False

    def check(self) -> None:
        """Raises SourceError where the file is plainly not what its name says, or can't be opened."""
        picture = disguised_picture(self.path) if self.kind is InputKind.VIDEO else None
        if picture is not None:
            raise SourceError(
                f"{self.path}: is a {picture} picture, not a video; give it that suffix to have it analyzed as a still"
            )

    def frames(self) -> Iterator[Frame]:
        """The frames of a video or sequence; raises SourceError."""
        if self.kind is InputKind.SEQUENCE:
            assert self.rate is not None
            return picture_sequence(self.files, self.rate)
        return video_frames(self.path)

    def size(self) -> int:
        """Bytes of all files; one that isn't there counts nothing."""
        return sum(path.stat().st_size for path in self.files if path.is_file())

    def sha256(self) -> str:
        """Over the contents of all files in order; raises SourceError where one can't be read."""
        digest = hashlib.sha256()
        for path in self.files:
            try:
                with path.open("rb") as file:
                    while chunk := file.read(1 << 20):
                        digest.update(chunk)
            except OSError as error:
                raise SourceError(f"{path}: {_reason(error)}") from None
        return digest.hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Unusable:
    """An argument that gives nothing to analyze, and why."""

    path: str
    reason: str


def _reason(error: OSError) -> str:
    """``No such file or directory`` → ``no such file or directory``."""
    text = error.strerror or str(error)
    return text[:1].lower() + text[1:]


def natural_key(path: Path) -> list[tuple[int, int, str]]:
    """Sorts ``9.mp4`` before ``10.mp4``."""
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.split(r"(\d+)", str(path))]


def _is_footage(path: Path, folder: Path, leave_out: Path | None) -> bool:
    """Whether a file below a folder is to be taken up: not a hidden one, and nothing that an analysis wrote there."""
    if path.suffix.lower() not in PICTURE_SUFFIXES | VIDEO_SUFFIXES or not path.is_file():
        return False
    hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
    return not hidden and (leave_out is None or not path.resolve().is_relative_to(leave_out.resolve()))


def disguised_picture(path: Path) -> str | None:
    """The format of a picture whose name says that it is something else; raises SourceError where it can't be read."""
    try:
        with path.open("rb") as file:
            head = file.read(12)
    except OSError as error:
        raise SourceError(f"{path}: {_reason(error)}") from None
    if head[:4] == b"RIFF" and head[8:] == b"WEBP":
        return "WebP"
    return next((name for signature, name in _SIGNATURES.items() if head.startswith(signature)), None)


def _one_file(path: Path) -> Input:
    still = path.suffix.lower() in PICTURE_SUFFIXES
    return Input(kind=InputKind.STILL if still else InputKind.VIDEO, path=path, stem=path.stem, files=(path,))


def _sequence(path: Path, stem: str, files: Sequence[Path], rate: Fraction | None) -> Input:
    return Input(
        kind=InputKind.SEQUENCE,
        path=path,
        stem=stem,
        files=tuple(files),
        rate=rate or DEFAULT_SEQUENCE_RATE,
        rate_assumed=rate is None,
    )


def _from_pattern(argument: str, rate: Fraction | None) -> Input | Unusable:
    """A sequence named like ``frames/%05d.png``: the pictures whose names fit, by number."""
    pattern = Path(argument)
    fits = re.compile(_NUMBERED.sub(lambda m: r"(\d+)", re.escape(pattern.name).replace(r"\%", "%")))
    found = [(match, path) for path in pattern.parent.glob("*") if (match := fits.fullmatch(path.name))]
    files = [path for match, path in sorted(found, key=lambda pair: int(pair[0].group(1)))]
    if not files:
        return Unusable(path=argument, reason="no picture fits this pattern")
    stem = _NUMBERED.sub("", pattern.stem).strip("-_. ") or pattern.parent.resolve().name
    return _sequence(pattern, stem, files, rate)


def _from_folder(folder: Path, rate: Fraction | None, leave_out: Path | None) -> list[Input | Unusable]:
    """Everything below a folder; with a rate, its pictures are one sequence."""
    files = sorted((path for path in folder.rglob("*") if _is_footage(path, folder, leave_out)), key=natural_key)
    if not files:
        return [Unusable(path=str(folder), reason="the folder holds no video and no picture")]
    if rate is not None and all(path.suffix.lower() in PICTURE_SUFFIXES for path in files):
        return [_sequence(folder, folder.resolve().name, files, rate)]
    return [_one_file(path) for path in files]


def _expanded(argument: str, rate: Fraction | None, leave_out: Path | None) -> list[Input | Unusable]:
    path = Path(argument)
    if path.is_dir():
        return _from_folder(path, rate, leave_out)
    if path.exists():
        return [_one_file(path)]
    if _NUMBERED.search(path.name):
        return [_from_pattern(argument, rate)]
    if any(sign in argument for sign in "*?["):
        start = Path(path.anchor or ".")
        matches = sorted(start.glob(str(path.relative_to(path.anchor)) if path.anchor else argument), key=natural_key)
        wanted = [match for match in matches if match.is_dir() or _is_footage(match, start, leave_out)]
        inputs = [each for match in wanted for each in _expanded(str(match), rate, leave_out)]
        return inputs or [Unusable(path=argument, reason="nothing matches this pattern")]
    return [Unusable(path=argument, reason="no such file or folder")]


def _with_own_stems(inputs: list[Input]) -> list[Input]:
    """Where inputs share a stem, the folder's name is put before it, then the suffix behind, then a number."""
    forms: list[Callable[[Input], str]] = [
        lambda each: each.stem,
        lambda each: f"{each.path.resolve().parent.name}-{each.stem}",
        lambda each: f"{each.path.resolve().parent.name}-{each.stem}{each.path.suffix.replace('.', '-')}",
    ]
    level = [0] * len(inputs)
    names = [each.stem for each in inputs]
    for step in range(1, len(forms)):
        taken = Counter(name.casefold() for name in names)
        level = [step if taken[name.casefold()] > 1 else old for name, old in zip(names, level, strict=True)]
        names = [forms[how](each) for how, each in zip(level, inputs, strict=True)]
    seen: Counter[str] = Counter()
    for i, name in enumerate(names):
        seen[name.casefold()] += 1
        if seen[name.casefold()] > 1:
            names[i] = f"{name}-{seen[name.casefold()]}"
    return [replace(each, stem=name) for each, name in zip(inputs, names, strict=True)]


def find_inputs(
    arguments: Sequence[str], rate: Fraction | None = None, leave_out: Path | None = None
) -> tuple[list[Input], list[Unusable]]:
    """All inputs that the arguments name, each once and with a stem of its own, and the arguments that name none.

    rate: pictures a second, with which a folder of pictures is a sequence. leave_out: a folder of results, never input.
    """
    inputs: dict[Path, Input] = {}
    unusable = []
    for argument in arguments:
        for each in _expanded(argument, rate, leave_out):
            if isinstance(each, Input):
                inputs.setdefault(each.path.resolve(), each)
            else:
                unusable.append(each)
    return _with_own_stems(list(inputs.values())), unusable
