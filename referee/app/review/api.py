"""The API of the review, for the server to serve: what is looked at, what is corrected, what is exported."""

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore
from typing import Any
from urllib.parse import quote

import cv2
import numpy as np
from starlette.responses import FileResponse, Response

from referee.app.desk.store import StoreError
from referee.app.review import bodies
from referee.app.review.corrections import Correction
from referee.app.review.errors import NotThere, Overtaken, ReviewError, VideoMissing
from referee.app.review.exporting import Busy, Exporting
from referee.app.review.exports import export_clip, export_picture, export_subtitles, exported, measure
from referee.app.review.footage import Shown
from referee.app.review.frames import jpeg
from referee.app.review.review import Review
from referee.app.review.shelf import Shelf
from referee.app.review.still import draw_over
from referee.app.review.tracks import columns
from referee.app.server.access import REFEREE
from referee.app.server.endpoints import Body, Call, Endpoint
from referee.app.server.errors import Refused
from referee.app.server.record_bodies import plain
from tracking.records import ShotRecord

LONGEST_TRACKS_S = 30.0
LONGEST_TIMES_S = 600.0
MOST_ITEMS, RECENT_MATCHES = 500, 12
AT_WORK, MOST_WAITING = 2, 12
CHANGE = (400, 401, 403, 404, 409, 413, 415, 422)
LOOK = (404, 422, 429)
VIDEO_TYPES = {
    ".mp4": "video/mp4",
    ".m4v": "video/mp4",
    ".mov": "video/quicktime",
    ".webm": "video/webm",
    ".mkv": "video/x-matroska",
    ".avi": "video/x-msvideo",
}
EXPORT_TYPES = {
    ".mp4": "video/mp4",
    ".vtt": "text/vtt; charset=utf-8",
    ".srt": "application/x-subrip; charset=utf-8",
    ".png": "image/png",
}
BASE = "/api/review"

Handler = Callable[["ReviewApi", Call], Any]


def refusing(handler: Handler) -> Handler:
    """A handler whose expected failures are answers with one clear line."""

    @functools.wraps(handler)
    def handle(self: "ReviewApi", call: Call) -> Any:
        try:
            return handler(self, call)
        except (NotThere, VideoMissing) as error:
            raise Refused(404, str(error)) from None
        except (Overtaken, StoreError) as error:
            raise Refused(409, str(error), "revision" if isinstance(error, Overtaken) else None) from None
        except ReviewError as error:
            raise Refused(422, str(error)) from None

    return handle


class ReviewApi:
    """The handlers over one shelf."""

    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf
        self._exporting = Exporting()
        self._working = BoundedSemaphore(AT_WORK)
        self._waiting = BoundedSemaphore(AT_WORK + MOST_WAITING)

    @contextmanager
    def _at_work(self) -> Iterator[None]:
        """Pictures are decoded and drawn for few at a time, so that a match that is being watched isn't held up."""
        if not self._waiting.acquire(blocking=False):
            raise Refused(429, "too many pictures are asked for at once; try again")
        try:
            with self._working:
                yield
        finally:
            self._waiting.release()

    def _review(self, call: Call) -> Review:
        id = call.path["id"]
        return self.shelf.current() if id == "current" else self.shelf.get(id)

    # ------------------------------------------------------------------------------------------ looking

    @refusing
    def reviews(self, call: Call) -> dict[str, Any]:
        query = call.query
        analyses, ids = set(self.shelf.analyses), self.shelf.ids()
        shown = ids[query.offset : query.offset + query.limit]
        matches = [id for id in shown if id not in analyses]
        known = {each["id"]: _match_in_short(each) for each in self.shelf.entries(matches)}
        return {"reviews": [known.get(id) or self._in_short(id) for id in shown], "total": len(ids)}

    def _in_short(self, id: str) -> dict[str, Any]:
        try:
            review = self.shelf.get(id)
            problem = review.video_problem()
            folded = review.folded
        except ReviewError as error:
            return {"id": id, "title": id, "kind": None, "problem": str(error)}
        return {
            "id": id,
            "title": review.title,
            "kind": review.kind,
            "game": review.game,
            "shots": len(folded.records),
            "look_first": sum(bool(each.get("undecided")) for each in folded.verdicts) + len(folded.refused),
            "corrected": sum(each.holds for each in review.done()),
            "video": {"ok": problem is None, "reason": problem},
            "problem": None,
        }

    @refusing
    def all_items(self, call: Call) -> dict[str, Any]:
        found = []
        for id in self.shelf.recent(RECENT_MATCHES):
            try:
                found += [{"review": id, **item.to_json()} for item in self.shelf.get(id).items()]
            except ReviewError:
                continue
        found.sort(key=lambda item: -float(item["worth"]))
        return {"items": found[:MOST_ITEMS], "total": len(found)}

    @refusing
    def items(self, call: Call) -> dict[str, Any]:
        review = self._review(call)
        return {"items": [{"review": review.id, **item.to_json()} for item in review.items_with_choices()]}

    @refusing
    def state(self, call: Call) -> dict[str, Any]:
        review = self._review(call)
        state = review.state()
        for segment in state["video"]["segments"]:
            segment["url"] = _video_url(review, segment.pop("file"))
        return state

    @refusing
    def shots(self, call: Call) -> dict[str, Any]:
        return {"shots": self._review(call).shot_lines()}

    @refusing
    def shot(self, call: Call) -> dict[str, Any]:
        return self._review(call).shot(_number(call.path["n"]))

    @refusing
    def timeline(self, call: Call) -> dict[str, Any]:
        review, query = self._review(call), call.query
        start, end = review.times()
        return review.timeline(start if query.t0 is None else query.t0, end if query.t1 is None else query.t1)

    @refusing
    def tracks(self, call: Call) -> dict[str, Any]:
        query = call.query
        if query.t0 is None or query.t1 is None or not 0 <= query.t1 - query.t0 <= LONGEST_TRACKS_S:
            raise Refused(422, f"t0 and t1: expected a span of at most {LONGEST_TRACKS_S:g} s", "t1")
        return columns(self._review(call).rows(query.t0, query.t1))

    @refusing
    def frame_times(self, call: Call) -> dict[str, Any]:
        review, query = self._review(call), call.query
        footage = review.footage
        start, end = footage.span
        t0, t1 = start if query.t0 is None else query.t0, end if query.t1 is None else query.t1
        if not footage.numbered and t1 - t0 > LONGEST_TIMES_S:
            raise Refused(422, f"t0 and t1: expected a span of at most {LONGEST_TIMES_S:g} s of a match", "t1")
        times = footage.times(t0, t1)
        first = footage.number_of(times[0]) if times else None
        return {"first": first, "times": [round(t_s, 6) for t_s in times]}

    @refusing
    def frame(self, call: Call) -> Response:
        review, query = self._review(call), call.query
        with self._at_work():
            shown = _shown(review, query.index, query.t)
            picture = shown.frame.bgr
            if query.draw != "none":
                picture = draw_over(review, shown, everything=query.draw == "all")
        if query.width is not None and query.width < picture.shape[1]:
            high = max(1, round(picture.shape[0] * query.width / picture.shape[1]))
            picture = np.asarray(cv2.resize(picture, (query.width, high), interpolation=cv2.INTER_AREA), dtype=np.uint8)
        lasting = review.kind == "analysis" and query.draw == "none"
        keep = "private, max-age=60" if lasting else "no-cache"
        headers = {"X-Frame-Time": f"{shown.t_s:.6f}", "Cache-Control": keep}
        if shown.index is not None:
            headers["X-Frame-Index"] = str(shown.index)
        return Response(jpeg(picture), media_type="image/jpeg", headers=headers)

    @refusing
    def video(self, call: Call) -> Response:
        footage, name = self._review(call).footage, call.path["name"]
        path = next((each.path for each in footage.segments if each.path.name == name), None)
        if path is None or not footage.playable:
            raise NotThere("no such video")
        return FileResponse(path, media_type=VIDEO_TYPES.get(path.suffix.lower(), "application/octet-stream"))

    @refusing
    def replay(self, call: Call) -> dict[str, Any]:
        review, n = self._review(call), call.query.n
        record = review.last if n == "last" else review.record(n)
        footage, span = review.footage, _kept_span(review, record)
        segments = [
            {"url": _video_url(review, each.path.name), "t0": each.t0_s, "t1": each.t1_s, "offset": each.offset_s}
            for each in footage.segments
            if each.t0_s <= span["t1"] and each.t1_s >= span["t0"]
        ]
        return {"id": review.id, "n": record.n, **span, "segments": segments}

    # ------------------------------------------------------------------------------------------ correcting

    def _change(self, call: Call, line: dict[str, Any]) -> dict[str, Any]:
        review, body = self._review(call), call.body
        correction = Correction.from_json(line)
        done = review.preview(correction) if body.preview else review.accept(correction, body.revision)
        return done.to_json()

    @refusing
    def answer(self, call: Call) -> dict[str, Any]:
        body = call.body
        said = {"kind": "confirm", "question": body.question, "value": body.value}
        said |= {"ball": body.ball} if body.ball is not None else {}
        return self._change(call, {"type": "observed", "n": body.n, "observed": [said]})

    @refusing
    def correct(self, call: Call) -> dict[str, Any]:
        body = call.body
        if body.not_a_stroke:
            return self._change(call, {"type": "observed", "n": body.n, "observed": [{"kind": "not_a_stroke"}]})
        line = {"type": "official", "kind": "correct", "n": body.n, "record": plain(body.record)}
        return self._change(call, line)

    @refusing
    def insert(self, call: Call) -> dict[str, Any]:
        return self._change(call, {**plain(call.body.record), "type": "shot"})

    @refusing
    def observed(self, call: Call) -> dict[str, Any]:
        body = call.body
        return self._change(
            call, {"type": "observed", "n": body.n, "observed": [plain(each) for each in body.observed]}
        )

    @refusing
    def nomination(self, call: Call) -> dict[str, Any]:
        body = call.body
        said = None if body.nominated is None else plain(body.nominated)
        return self._change(call, {"type": "nomination", "n": body.n, "nominated": said})

    @refusing
    def official(self, call: Call) -> dict[str, Any]:
        line = plain(call.body.line)
        line.pop("preview", None)
        if line["kind"] == "correct":
            raise Refused(422, "line.kind: correct a record with /correct", "line.kind")
        return self._change(call, {**line, "type": "official", "n": call.body.before})

    @refusing
    def opening(self, call: Call) -> dict[str, Any]:
        return self._change(call, {"type": "opening", "state": call.body.state})

    @refusing
    def undo(self, call: Call) -> dict[str, Any]:
        return self._change(call, {"type": "undo", "line": call.body.line})

    # ------------------------------------------------------------------------------------------ measuring, exporting

    @refusing
    def measured(self, call: Call) -> dict[str, Any]:
        review, body = self._review(call), call.body
        with self._at_work():
            return measure(review, _shown(review, body.index, body.t), *_places(body))[0]

    @refusing
    def export(self, call: Call) -> dict[str, Any]:
        review, body = self._review(call), call.body
        try:
            with self._exporting.begin(review.id):
                return self._exported(review, body)
        except Busy:
            raise Refused(409, "another export is being written; try again when it is done") from None

    @refusing
    def progress(self, call: Call) -> dict[str, Any]:
        return self._exporting.of(self._review(call).id)

    @refusing
    def call_off(self, call: Call) -> dict[str, Any]:
        self._exporting.call_off(self._review(call).id)
        return {}

    def _exported(self, review: Review, body: bodies.ExportBody) -> dict[str, Any]:
        lang = body.lang or review.lang
        more: dict[str, Any] = {}
        if body.kind == "subtitles":
            path = export_subtitles(review, body.format, lang)
        elif body.kind == "picture":
            assert body.measure is not None
            shown = _shown(review, body.measure.index, body.measure.t)
            path, more = export_picture(review, shown, *_places(body.measure), lang)
        else:
            path = export_clip(review, *_clip(review, body), lang, self._exporting.told)
        url = f"{BASE}/{quote(review.id, safe='')}/exports/{quote(path.name)}"
        return {"url": url, "name": path.name, "bytes": path.stat().st_size, "measured": more or None}

    @refusing
    def download(self, call: Call) -> Response:
        path = exported(self._review(call), call.path["name"])
        return FileResponse(
            path, media_type=EXPORT_TYPES.get(path.suffix, "application/octet-stream"), filename=path.name
        )


def _match_in_short(entry: dict[str, Any]) -> dict[str, Any]:
    """From the index: nothing is read and judged anew for a list."""
    return {
        "id": entry["id"],
        "title": entry["id"],
        "kind": "match",
        "game": entry["game"],
        "shots": entry["shots"],
        "look_first": entry["questions"] + entry["unjudged"],
        "corrected": entry["corrected"],
        "problem": None,
    }


def _number(text: str) -> int:
    """Raises NotThere for anything but a number."""
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise NotThere("there is nothing at this address")
    return int(text)


def _video_url(review: Review, name: str) -> str:
    return f"{BASE}/{quote(review.id, safe='')}/video/{quote(name, safe='')}"


def _shown(review: Review, index: int | None, t_s: float | None) -> Shown:
    footage = review.footage
    if index is not None:
        return footage.numbered_frame(index)
    assert t_s is not None
    return footage.at(t_s)


def _places(body: bodies.MeasureBody) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    others = [plain(body.b), *([plain(body.c)] if body.c is not None else [])]
    return plain(body.a), others


def _kept_span(review: Review, record: ShotRecord) -> dict[str, float]:
    """Raises NotThere where the video of a shot was deleted for want of space."""
    span = review.replay_span(record)
    if span is None:
        raise NotThere(f"the video of shot {record.n} is no longer kept")
    return span


def _clip(review: Review, body: bodies.ExportBody) -> tuple[float, float, str]:
    """Start and end in s, and the file's name."""
    if body.n is not None:
        record = review.last if body.n == "last" else review.record(body.n)
        span = _kept_span(review, record)
        t0 = span["t0"] if body.t0 is None else body.t0
        return t0, span["t1"] if body.t1 is None else body.t1, f"shot-{record.n}.mp4"
    assert body.t0 is not None and body.t1 is not None
    return body.t0, body.t1, f"clip-{body.t0:.2f}-{body.t1:.2f}.mp4"


def review_endpoints(shelf: Shelf) -> tuple[Endpoint, ...]:
    """The entries under ``/api/review``. As id, ``current`` is the match that is being played."""
    api = ReviewApi(shelf)
    one = BASE + "/{id}"

    def look(path: str, handle: Callable[[Call], Any], summary: str, **more: Any) -> Endpoint:
        return Endpoint(method="GET", path=path, handle=handle, summary=summary, refusals=LOOK, **more)

    def change(path: str, handle: Callable[[Call], Any], body: type[Body], summary: str) -> Endpoint:
        return Endpoint(
            method="POST", path=path, handle=handle, body=body, role=REFEREE, refusals=CHANGE, summary=summary
        )

    return (
        look(
            BASE, api.reviews, "What can be reviewed: clips, then matches, the newest first", query=bodies.ReviewsQuery
        ),
        look(BASE + "/items", api.all_items, "What needs a look first, of all clips and the newest matches"),
        look(one + "/items", api.items, "What needs a look first"),
        look(one + "/state", api.state, "Score, questions, video, calibration and corrections of a review"),
        look(one + "/shots", api.shots, "Each shot in short"),
        look(one + "/shots/{n}", api.shot, "A shot's record, verdicts, clauses, and the frames that prove them"),
        look(one + "/timeline", api.timeline, "Shots, events, gaps and calls of a span", query=bodies.ReviewSpanQuery),
        look(one + "/tracks", api.tracks, "Where the balls were, by frame", query=bodies.ReviewSpanQuery),
        look(one + "/frames", api.frame_times, "The exact times of all frames of a span", query=bodies.ReviewSpanQuery),
        look(one + "/frame.jpg", api.frame, "One frame, exactly", query=bodies.ReviewFrameQuery, media="image/jpeg"),
        look(one + "/video/{name}", api.video, "The video, or one piece of it, with ranges", media="video/mp4"),
        look(one + "/replay", api.replay, "Where to find the replay of a shot", query=bodies.ReviewReplayQuery),
        look(
            one + "/exports/{name}",
            api.download,
            "A file that was exported",
            media="application/octet-stream",
            other_media=tuple(EXPORT_TYPES.values()),
        ),
        change(one + "/answer", api.answer, bodies.ReviewAnswerBody, "Settle a question"),
        change(one + "/correct", api.correct, bodies.ReviewCorrectBody, "Correct a record"),
        change(one + "/insert", api.insert, bodies.ReviewInsertBody, "Insert a shot that wasn't seen"),
        change(one + "/observed", api.observed, bodies.ReviewObservedBody, "Add what somebody saw"),
        change(one + "/nomination", api.nomination, bodies.ReviewNominationBody, "Say what was declared"),
        change(one + "/official", api.official, bodies.ReviewOfficialBody, "Insert an official's line"),
        change(one + "/opening", api.opening, bodies.ReviewOpeningBody, "Say what held before the first shot"),
        change(one + "/undo", api.undo, bodies.ReviewUndoBody, "Take a correction back"),
        Endpoint(
            method="POST",
            path=one + "/measure",
            handle=api.measured,
            body=bodies.MeasureBody,
            refusals=(400, 403, 404, 413, 415, 422, 429),
            summary="Measure distances in a frame",
        ),
        change(one + "/export", api.export, bodies.ExportBody, "Write a clip, subtitles or a picture"),
        look(one + "/export", api.progress, "How much of what is being written is done"),
        Endpoint(
            method="DELETE",
            path=one + "/export",
            handle=api.call_off,
            role=REFEREE,
            refusals=(401, 403, 404, 422),
            summary="Call off what is being written",
        ),
    )
