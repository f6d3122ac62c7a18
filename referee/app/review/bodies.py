"""What requests to the review hold."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from referee.app.server.bodies import Name, Number, OfficialBody
from referee.app.server.endpoints import Body
from referee.app.server.record_bodies import Ball, NominatedBody, ObservedBody, Place, RecordBody

Time = Annotated[float, Field(ge=-1e6, le=1e9)]
Index = Annotated[int, Field(ge=0, le=10**9)]
Revision = Annotated[int, Field(ge=0, le=10**9)]
Lang = Literal["en", "ru"]


class ReviewsQuery(Body):
    """So many of what can be reviewed, after the first ``offset``."""

    limit: Annotated[int, Field(ge=1, le=500)] = 200
    offset: Annotated[int, Field(ge=0, le=10**6)] = 0


class ReviewSpanQuery(Body):
    """A span of the video's time, s; left out: all of it."""

    t0: Time | None = None
    t1: Time | None = None


class ReviewFrameQuery(Body):
    """A frame by its number, or the one shown at a time. draw: what is drawn over it."""

    index: Index | None = None
    t: Time | None = None
    draw: Literal["none", "balls", "all"] = "none"
    width: Annotated[int, Field(ge=64, le=4096)] | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if (self.index is None) == (self.t is None):
            raise ValueError("give either index or t")
        return self


class ReviewReplayQuery(Body):
    """The replay of a shot; left out: of the last one."""

    n: Number | Literal["last"] = "last"


class Change(Body):
    """A correction. preview: only tell what it would change. Else ``revision`` is that of the preview."""

    preview: bool = False
    revision: Revision | None = None

    @model_validator(mode="after")
    def _seen(self) -> Self:
        if not self.preview and self.revision is None:
            raise ValueError("give the revision of the preview that was looked at, or preview: true")
        return self


class ReviewAnswerBody(Change):
    """The referee's answer to a question of shot n."""

    n: Number
    question: Name
    value: (
        bool | Annotated[str, Field(min_length=1, max_length=200)] | Annotated[list[Ball], Field(max_length=30)] | Place
    )
    ball: Ball | None = None


class ReviewCorrectBody(Change):
    """The record of shot n as it should have been; or not_a_stroke: nothing was played there."""

    n: Number
    record: RecordBody | None = None
    not_a_stroke: bool = False

    @model_validator(mode="after")
    def _one(self) -> Self:
        if (self.record is None) == (not self.not_a_stroke):
            raise ValueError("give either record or not_a_stroke")
        return self


class ReviewInsertBody(Change):
    """The record of a shot that wasn't seen; it is played at its time, between the others."""

    record: RecordBody


class ReviewObservedBody(Change):
    """What somebody saw in shot n."""

    n: Number
    observed: Annotated[list[ObservedBody], Field(min_length=1, max_length=40)]


class ReviewNominationBody(Change):
    """What was declared before shot n; null: infer it."""

    n: Number
    nominated: NominatedBody | None


class ReviewOfficialBody(Change):
    """A line of an official said before shot ``before``; one more than the shots: after the last."""

    before: Number
    line: OfficialBody


class ReviewOpeningBody(Change):
    """What held before the first shot, instead of what was assumed (contract section 6)."""

    state: Annotated[dict[str, Any], Field(max_length=30)]


class ReviewUndoBody(Change):
    """Takes back the correction with this number."""

    line: Number


class PlaceBody(Body):
    """A ball (as in the frame, or before or after a shot), a place in mm, a point of the picture, a spot, a line.

    as_ball: the ball that is seen at the point of the picture, found anew.
    """

    ball: Ball | None = None
    shot: Number | None = None
    when: Literal["before", "after"] | None = None
    at: Place | None = None
    px: Annotated[list[Annotated[float, Field(ge=-1e5, le=1e5)]], Field(min_length=2, max_length=2)] | None = None
    as_ball: bool = False
    spot: Name | None = None
    line: Name | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if sum(each is not None for each in (self.ball, self.at, self.px, self.spot, self.line)) != 1:
            raise ValueError("give one of ball, at, px, spot, line")
        return self


class MeasureBody(Body):
    """Distances in a frame from ``a`` to ``b``, and to ``c`` where it is asked which of the two is nearer."""

    index: Index | None = None
    t: Time | None = None
    a: PlaceBody
    b: PlaceBody
    c: PlaceBody | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if (self.index is None) == (self.t is None):
            raise ValueError("give either index or t")
        return self


class ExportBody(Body):
    """A clip with overlay of a shot or a span, subtitles, or a picture with measured distances."""

    kind: Literal["clip", "subtitles", "picture"]
    lang: Lang | None = None
    n: Number | Literal["last"] | None = None
    t0: Time | None = None
    t1: Time | None = None
    format: Literal["vtt", "srt"] = "vtt"
    measure: MeasureBody | None = None

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.kind == "picture" and self.measure is None:
            raise ValueError("a picture needs measure: the frame and what is measured in it")
        if self.kind == "clip" and self.n is None and (self.t0 is None or self.t1 is None):
            raise ValueError("a clip needs n, or t0 and t1")
        return self
