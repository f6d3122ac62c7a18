"""Shot records in requests: the contract's section 3 and 4 as models. Unknown fields are ignored, as there."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

BALL = r"^(cue|yellow|green|brown|blue|pink|black|red-([1-9]|1[0-5])|(ball-)?([1-9]|1[0-5])|(solid|stripe)-[1-7])$"
"""The names of balls, contract section 2; which of them a game has is for the desk."""
Ball = Annotated[str, StringConstraints(pattern=BALL)]
Coordinate = Annotated[float, Field(ge=-5000, le=10000)]
Place = Annotated[list[Coordinate], Field(min_length=2, max_length=2)]
Places = Annotated[dict[Ball, Place], Field(max_length=30)]
Seconds = Annotated[float, Field(ge=0, le=1e7)]
Pocket = Literal["bottom-left", "bottom-right", "middle-left", "middle-right", "top-left", "top-right"]
Cushion = Literal["bottom", "top", "left", "right"]
Share = Annotated[float, Field(ge=0, le=1)]
Short = Annotated[str, StringConstraints(min_length=1, max_length=60)]


class Lenient(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True, allow_inf_nan=False)


class _Event(Lenient):
    t: Seconds
    t_sigma: Annotated[float, Field(ge=0, le=100)] | None = None
    confidence: Share | None = None


class StrikeEvent(_Event):
    kind: Literal["strike"]
    ball: Ball


class ContactEvent(_Event):
    kind: Literal["contact"]
    balls: Annotated[list[Ball], Field(min_length=2, max_length=2)]


class CushionEvent(_Event):
    kind: Literal["cushion"]
    ball: Ball
    cushion: Cushion


class CrossedEvent(_Event):
    kind: Literal["crossed"]
    ball: Ball
    line: Literal["head_string", "house_line", "centre_line", "long_string", "baulk_line"]


class PocketEvent(_Event):
    kind: Literal["pocket"]
    ball: Ball
    pocket: Pocket


class OffTableEvent(_Event):
    kind: Literal["off_table"]
    ball: Ball


class ReturnedEvent(_Event):
    kind: Literal["returned"]
    ball: Ball
    via: Short


class JumpEvent(_Event):
    kind: Literal["jump"]
    ball: Ball
    over: Ball
    touched: bool = False


class FellEvent(_Event):
    kind: Literal["fell"]
    ball: Ball
    pocket: Pocket
    still_s: Annotated[float, Field(ge=0, le=1e5)]


class MovedEvent(_Event):
    kind: Literal["moved"]
    ball: Ball
    cause: Literal["itself", "player", "outside"]


class RestEvent(_Event):
    kind: Literal["rest"]


EventBody = Annotated[
    StrikeEvent
    | ContactEvent
    | CushionEvent
    | CrossedEvent
    | PocketEvent
    | OffTableEvent
    | ReturnedEvent
    | JumpEvent
    | FellEvent
    | MovedEvent
    | RestEvent,
    Field(discriminator="kind"),
]


class NominatedBody(Lenient):
    """What was declared before a stroke."""

    ball: Ball | None = None
    balls: Annotated[list[Ball], Field(max_length=16)] | None = None
    pocket: Pocket | None = None
    pockets: Annotated[list[Pocket], Field(max_length=16)] | None = None
    safety: bool = False
    push_out: bool = False


class ObservedBody(Lenient):
    """What somebody saw, or how the referee settled a question (``confirm``)."""

    kind: Literal[
        "foot_off", "tip_fault", "double_hit", "push", "touched", "miscue", "jump_method", "balls_moving",
        "out_of_turn", "bad_placement", "ball_misplaced", "used_out_ball", "foreign_object", "deliberate",
        "interference", "miss", "call_valid", "not_a_stroke", "confirm",
    ]  # fmt: skip
    ball: Ball | None = None
    balls: Annotated[list[Ball], Field(max_length=30)] | None = None
    by: Short | None = None
    player: Short | None = None
    what: Short | None = None
    who: Short | None = None
    question: Short | None = None
    value: bool | Short | Annotated[list[Ball], Field(max_length=30)] | Place | None = None


class GapBody(Lenient):
    """A span of time in which something was not seen."""

    t0: Seconds
    t1: Seconds
    balls: Annotated[list[Ball], Field(max_length=30)] | None = None
    region: Annotated[list[Place], Field(min_length=3, max_length=64)] | None = None


class RecordBody(Lenient):
    """What happened in a stroke or an incident."""

    type: Literal["shot"] = "shot"
    n: Annotated[int, Field(ge=1, le=10**6)] | None = None
    t0: Seconds | None = None
    t1: Seconds | None = None
    before: Places | None = None
    events: Annotated[list[EventBody], Field(max_length=500)]
    after: Places | None = None
    nominated: NominatedBody | None = None
    observed: Annotated[list[ObservedBody], Field(max_length=60)] | None = None
    gaps: Annotated[list[GapBody], Field(max_length=100)] | None = None
    doubtful: Annotated[list[dict[Ball, Ball | None]], Field(max_length=40)] | None = None


def plain(body: BaseModel) -> dict[str, Any]:
    """A model's fields as JSON has them, without those that weren't given."""
    return body.model_dump(exclude_none=True, by_alias=True)
