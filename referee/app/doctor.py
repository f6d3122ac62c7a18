"""``cueref doctor``: whether this installation and this machine can do the work."""

import io
import platform
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from statistics import median

import click

PACKAGES = ("calibration", "vision", "tracking", "referee")
LIBRARIES = (
    *("av", "click", "filterpy", "numpy", "opencv-python", "pyarrow", "pydantic", "rich", "scipy"),
    *("starlette", "uvicorn", "websockets"),
)
DECODERS = ("h264", "hevc", "mpeg4", "mjpeg", "vp9", "av1")
NEEDED_DECODERS = ("h264",)
CAMERA_PICTURES, CAMERA_S = 30, 15.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing looked at; ``advice`` says what to do where it isn't in order."""

    what: str
    fine: bool = True
    advice: str = ""


def packages_from_one_place() -> Iterator[Finding]:
    """A folder named ``vision`` where somebody works would hide the package of that name."""
    places = {}
    for name in PACKAGES:
        spec = find_spec(name)
        origin = spec.origin if spec is not None else None
        places[name] = Path(origin).resolve().parent.parent if origin is not None else None
    home = places["referee"]
    for name, place in places.items():
        if place is None:
            yield Finding(
                what=f"package {name}: not found, or a folder without code",
                fine=False,
                advice=f"start cueref from another folder (one named {name} hides it), or install cueref again",
            )
        elif place != home:
            yield Finding(
                what=f"package {name} comes from {place}, the others from {home}",
                fine=False,
                advice=f"start cueref from another folder: {place / name} hides the right one",
            )
    if all(place == home for place in places.values()):
        yield Finding(what=f"the four packages come from {home}")


def libraries() -> Iterator[Finding]:
    """Installed, with their versions."""
    yield Finding(what=f"Python {platform.python_version()} on {platform.system()} {platform.machine()}")
    for name in LIBRARIES:
        try:
            yield Finding(what=f"{name} {version(name)}")
        except PackageNotFoundError:
            yield Finding(what=f"{name}: not installed", fine=False, advice="install cueref again with pip")


def codecs() -> Iterator[Finding]:
    """H.264 there and back with uneven times kept exactly, and which formats can be read."""
    import av
    import numpy as np

    stamps = [0, 3000, 6017, 9003, 12900]
    try:
        memory = io.BytesIO()
        with av.open(memory, "w", format="mp4") as container:
            stream = container.add_stream("libx264" if "libx264" in av.codecs_available else "h264", rate=30)
            stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
            stream.codec_context.time_base = Fraction(1, 90_000)
            for stamp in stamps:
                picture = av.VideoFrame.from_ndarray(np.full((48, 64, 3), 90, np.uint8), format="bgr24")
                picture.pts, picture.time_base = stamp, Fraction(1, 90_000)
                container.mux(stream.encode(picture))
            container.mux(stream.encode(None))
        memory.seek(0)
        with av.open(memory, "r") as written:
            back = [round((frame.time or 0.0) * 90_000) for frame in written.decode(video=0)]
    except (av.FFmpegError, ValueError) as error:
        yield Finding(what=f"H.264 can't be written or read: {error}", fine=False, advice="install PyAV from its wheel")
    else:
        exact = back == stamps
        yield Finding(
            what="H.264 is written and read, times exact"
            if exact
            else f"H.264 loses frame times: {stamps} gave {back}",
            fine=exact,
            advice="" if exact else "install PyAV from its wheel",
        )
    readable = [name for name in DECODERS if _has_decoder(name)]
    missing = [name for name in NEEDED_DECODERS if name not in readable]
    yield Finding(
        what=f"formats that can be read: {', '.join(readable)}",
        fine=not missing,
        advice=f"PyAV without {', '.join(missing)}: install it from its wheel" if missing else "",
    )


def _has_decoder(name: str) -> bool:
    import av

    try:
        av.Codec(name, "r")
    except ValueError:
        return False
    return True


def opencv() -> Iterator[Finding]:
    """Loads, reads a picture that it wrote, and draws text in both languages."""
    try:
        import cv2
    except ImportError as error:
        yield Finding(
            what=f"OpenCV can't be loaded: {error}",
            fine=False,
            advice="install libgl1 and libglib2.0-0 with the system's package manager",
        )
        return
    import numpy as np

    picture = np.zeros((32, 200, 3), np.uint8)
    cv2.putText(picture, "Фол", (4, 24), (255, 255, 255), cv2.FontFace("sans"), 20, 400)
    fine, coded = cv2.imencode(".png", picture)
    back = cv2.imdecode(coded, cv2.IMREAD_COLOR) if fine else None
    works = back is not None and bool(np.array_equal(back, picture)) and bool(picture.any())
    how = "works" if works else "does not read what it wrote"
    yield Finding(
        what=f"OpenCV {cv2.__version__} {how}, {cv2.getNumThreads()} threads",
        fine=works,
        advice="" if works else "install opencv-python again, and no other opencv package beside it",
    )


def camera(source: str) -> Iterator[Finding]:
    """Thirty pictures from a camera or stream, opened as ``cueref live`` opens it, with their size and rate."""
    from referee.app.live.inbox import Picture
    from referee.app.live.reader import Reader
    from referee.app.live.sources import source_from
    from vision.frames import SourceError

    try:
        reader = Reader(source_from(source))
    except SourceError as error:
        yield Finding(what=f"camera {source}: no picture", fine=False, advice=str(error))
        return
    pictures: list[Picture] = []
    until_s = time.monotonic() + CAMERA_S
    reader.start()
    reader.play()
    while len(pictures) < CAMERA_PICTURES and time.monotonic() < until_s:
        message = reader.inbox.take(0.1)
        if isinstance(message, Picture):
            pictures.append(message)
    said = reader.said or "is it plugged in, is another program using it, may this user read it?"
    reader.stop()
    name = reader.source.name
    if len(pictures) < CAMERA_PICTURES:
        what = "no picture" if not pictures else f"only {len(pictures)} pictures in {CAMERA_S:.0f} s"
        yield Finding(what=f"{name}: {what}", fine=False, advice=said)
        return
    # The median of the steps: a picture left out because this machine was busy doesn't make the camera slower.
    step_s = median(after.t_s - before.t_s for before, after in pairwise(pictures))
    width, height = pictures[-1].frame.size
    rate = 1 / step_s if step_s > 0 else float("inf")
    yield Finding(what=f"{name}: {width}×{height}, about {rate:.0f} pictures a second")


def voice() -> Iterator[Finding]:
    """What speaks the calls where no browser does."""
    from referee.app.live.voice import NoVoice, speaker

    try:
        yield Finding(what=f"voice: {speaker()}")
    except NoVoice:
        yield Finding(what="voice: espeak-ng is not installed; only cueref live --espeak needs it")


def cameras_present() -> Iterator[Finding]:
    """Which cameras Linux knows; elsewhere they can only be tried."""
    devices = sorted(str(path) for path in Path("/dev").glob("video*"))
    found = ", ".join(devices) if devices else "none found"
    yield Finding(what=f"cameras: {found}; try one with cueref doctor --camera 0")


def _looked_at(check: Callable[[], Iterator[Finding]]) -> list[Finding]:
    """What a check finds; a check that breaks is a finding too."""
    try:
        return list(check())
    except Exception as error:
        return [Finding(what=f"{check.__name__}: {type(error).__name__}: {error}", fine=False, advice="install again")]


@click.command()
@click.option("--camera", "source", help="Also try this camera: its number, device or address.")
def doctor(source: str | None) -> None:
    """Check the installation, the codecs and, if asked, a camera. Exit code 1 if something isn't in order."""
    checks: list[Callable[[], Iterator[Finding]]] = [packages_from_one_place, libraries, codecs, opencv, voice]
    if source is None:
        checks.append(cameras_present)
    else:
        checks.append(lambda: camera(source))
    findings = [finding for check in checks for finding in _looked_at(check)]
    for finding in findings:
        click.echo(f"{'ok ' if finding.fine else 'BAD'} {finding.what}")
        if finding.advice and not finding.fine:
            click.echo(f"    {finding.advice}")
    bad = sum(not finding.fine for finding in findings)
    click.echo("Everything is in order." if not bad else f"{bad} of {len(findings)} checks failed.")
    sys.exit(1 if bad else 0)
