"""What a review gives away: a clip with overlay, subtitles, a picture with a measured distance."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from referee.app.analyze.calls import Call, srt_text, vtt_text
from referee.app.analyze.tracks import Row
from referee.app.overlay.drawing import OverlayArtist
from referee.app.overlay.video import VideoWriter
from referee.app.review.errors import NotThere, ReviewError
from referee.app.review.footage import Shown
from referee.app.review.measure import Place, TableLine, distance, nearer, nearer_in_words, to_json
from referee.app.review.picture import Measured, draw_measured
from referee.app.review.places import calibrated, place_of
from referee.app.review.review import SAME_FRAME_S, Review
from referee.app.review.still import artist_at, calls_of
from referee.app.review.store import write_whole
from referee.app.review.tracks import by_frame
from referee.app.review.words import Words

FOLDER = "exports"
LONGEST_CLIP_S = 180.0
SUBTITLES: dict[str, Callable[[Sequence[Call]], str]] = {"vtt": vtt_text, "srt": srt_text}
SIGMA: Words = {
    "en": "± is one standard deviation: the calibration's and the ball centres' together",
    "ru": "± одно стандартное отклонение: калибровка и центры шаров вместе",
}
FRAME: Words = {"en": "frame", "ru": "кадр"}


def export_path(review: Review, name: str) -> Path:
    """Where an export goes; its folder is made. Raises ReviewError."""
    folder = review.folder / FOLDER
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise ReviewError(f"{folder}: can't be made ({error.strerror or error})") from None
    return folder / re.sub(r"[^\w.-]+", "-", name)


def exported(review: Review, name: str) -> Path:
    """An export by its name, matched against what is there. Raises NotThere."""
    folder = review.folder / FOLDER
    found = next((path for path in sorted(folder.glob("*")) if path.name == name and path.is_file()), None)
    if found is None or found.name.startswith("."):
        raise NotThere("no such export")
    return found


def export_subtitles(review: Review, form: str, lang: str) -> Path:
    """``calls.vtt`` or ``calls.srt`` of the verdicts as they stand. Raises ReviewError."""
    if form not in SUBTITLES:
        raise ReviewError(f"format: expected one of {', '.join(SUBTITLES)}, got {form!r}")
    path = export_path(review, f"calls-{lang}.{form}")
    write_whole(path, SUBTITLES[form](calls_of(review, lang)))
    return path


def export_clip(
    review: Review, t0_s: float, t1_s: float, name: str, lang: str, told: Callable[[float], None] = lambda share: None
) -> Path:
    """The footage from ``t0_s`` to ``t1_s`` with balls, events, calls and score drawn over it, from time 0.

    told: hears how much of it is done, 0 to 1; what it raises ends it. Raises ReviewError, VideoMissing.
    """
    if not 0 < t1_s - t0_s <= LONGEST_CLIP_S:
        raise ReviewError(f"t1: expected a span of at most {LONGEST_CLIP_S:g} s after t0, got {t1_s - t0_s:g} s")
    footage = review.footage
    artist = artist_at(review, t0_s, t1_s, footage.size, lang)
    frames = [(here[0]["t"], here) for _, here in by_frame(review.rows(t0_s, t1_s))]
    times = np.array([t_s for t_s, _ in frames])

    def rows_of(t_s: float) -> Sequence[Row]:
        at = int(np.argmin(np.abs(times - t_s))) if len(times) else -1
        return frames[at][1] if at >= 0 and abs(times[at] - t_s) <= SAME_FRAME_S else []

    path = export_path(review, name)
    aside = path.with_name(f".{path.name}")
    try:
        _write_clip(aside, artist, _telling(footage.pictures(t0_s, t1_s), t0_s, t1_s, told), rows_of)
        return aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)


def _telling(pictures: Iterable[Shown], t0_s: float, t1_s: float, told: Callable[[float], None]) -> Iterable[Shown]:
    for shown in pictures:
        told(min(1.0, max(0.0, (shown.t_s - t0_s) / (t1_s - t0_s))))
        yield shown


def _write_clip(
    path: Path, artist: OverlayArtist, pictures: Iterable[Shown], rows_of: Callable[[float], Sequence[Row]]
) -> None:
    """From time 0, each picture at its distance from the first. Raises ReviewError where there is none."""
    writer = None
    try:
        for shown in pictures:
            if writer is None:
                writer, first_s = VideoWriter(path, artist.size), shown.t_s
            writer.add(artist.draw(shown.frame.bgr, shown.t_s, rows_of(shown.t_s)), shown.t_s - first_s)
    finally:
        if writer is not None:
            writer.close()
    if writer is None:
        raise ReviewError("t0: no frame is shown in that span")


def measure(
    review: Review, shown: Shown, a: Mapping[str, Any], b: Sequence[Mapping[str, Any]]
) -> tuple[dict[str, Any], list[Measured]]:
    """The distances from a to each of one or two places or lines in a frame, as JSON and for drawing.

    With two it is said which is nearer, if that can be told. Raises ReviewError.
    """
    calibration = calibrated(review, shown.frame.size)
    start = place_of(review, shown, a)
    found = []
    for said in b:
        end = place_of(review, shown, said)
        first, second = (end, start) if isinstance(start, TableLine) else (start, end)
        if not isinstance(first, Place):
            raise ReviewError("b: a distance needs a ball or a place on at least one side")
        found.append(Measured(a=first, b=second, distance=distance(calibration, first, second)))
    data: dict[str, Any] = {
        "t": round(shown.t_s, 6),
        "index": shown.index,
        "distances": [
            {**to_json(each.distance, calibration, each.a, each.b), "from": each.a.name, "to": each.b.name}
            for each in found
        ],
        "nearer": None,
    }
    if len(found) == 2:
        told = nearer(found[0].distance, found[1].distance)
        names = [each.a.name if isinstance(start, TableLine) else each.b.name for each in found]
        data["nearer"] = {
            "which": told.which,
            "by_mm": round(told.by_mm, 1),
            "sigma_mm": round(told.sigma_mm, 1),
            "text": nearer_in_words(told, names[0], names[1]),
        }
    return data, found


def export_picture(
    review: Review, shown: Shown, a: Mapping[str, Any], b: Sequence[Mapping[str, Any]], lang: str
) -> tuple[Path, dict[str, Any]]:
    """``distance-….png``: the frame with the distances drawn, and what was measured. Raises ReviewError."""
    data, found = measure(review, shown, a, b)
    lines = [f"{each['from'][lang]} — {each['to'][lang]}: {each['text'][lang]}" for each in data["distances"]]
    if data["nearer"] is not None:
        lines.insert(0, data["nearer"]["text"][lang])
    number = "" if shown.index is None else f" · {FRAME[lang]} {shown.index}"
    lines.append(f"{review.title} · {shown.t_s:.3f} s{number} · {SIGMA[lang]}")
    picture = draw_measured(shown.frame.bgr, calibrated(review), found, lines, lang)
    path = export_path(review, f"distance-{shown.t_s:.3f}.png")
    done, png = cv2.imencode(".png", picture)
    assert done
    aside = path.with_name(f".{path.name}")
    aside.write_bytes(png.tobytes())
    return aside.replace(path), data
