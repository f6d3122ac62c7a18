"""What requests may hold: the models that validate them and that the API's description is made of."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, StringConstraints

from referee.app.server.endpoints import Body
from referee.app.server.record_bodies import Ball, NominatedBody, ObservedBody, Place, Places, RecordBody

AFTER = "the last number (seq) that whoever asks had seen; refused with 409 where something was entered since"
FOLLOWS = "put in after this shot and what was said there, 0: before the first; left out: after what was entered last"
Name = Annotated[str, StringConstraints(min_length=1, max_length=60, pattern=r"^[^\x00-\x1f\x7f]+$")]
Text = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Number = Annotated[int, Field(ge=1, le=10**6)]


class CodeBody(Body):
    """The referee's code."""

    code: Annotated[str, StringConstraints(min_length=1, max_length=200)]


class MeasuredTable(Body):
    """A table measured between the cushions' noses, mm."""

    length: Annotated[float, Field(ge=500, le=10000)]
    width: Annotated[float, Field(ge=250, le=5000)]
    ball_diameter: Annotated[float, Field(ge=20, le=120)]


class NewMatchBody(Body):
    """A match to be set up: the fields of its log's first line."""

    game: Literal["snooker", "14.1", "9-ball", "8-ball", "pyramid-combined"]
    rules: Literal["seed", "current"] = "seed"
    players: Annotated[list[Name], Field(min_length=2, max_length=2)] | None = None
    teams: Annotated[dict[Name, Annotated[list[Name], Field(min_length=1, max_length=8)]], Field()] | None = None
    order: Annotated[list[Name], Field(max_length=16)] | None = None
    striker: Name | None = None
    frames_to_win: Annotated[int, Field(ge=1, le=200)] | None = None
    options: dict[Name, bool | float | Text] | None = None
    table: Name | MeasuredTable | None = None
    lang: Literal["en", "ru"] = "en"
    nominations: Literal["inferred", "required"] = "inferred"
    slow_play_s: Annotated[float, Field(ge=5, le=3600)] | None = None
    early_calls: bool = True
    state: dict[str, Any] | None = Field(default=None, description="where the frame stands, contract section 6")
    source: Text | None = None
    note: Text | None = None


class NominationBody(Body):
    """What is declared for the next stroke; null takes it back."""

    nominated: NominatedBody | None


class ObservedLinesBody(Body):
    """What somebody saw. n: of this shot, which is judged anew; null: of the next record, in place of what waits.
    incident: it happened just now between strokes, and is judged as an incident of its own."""

    observed: Annotated[list[ObservedBody], Field(max_length=40)]
    n: Number | None = None
    incident: bool = False
    preview: bool = False
    after: Annotated[int, Field(ge=0, le=10**9)] | None = Field(default=None, description=AFTER)


class OfficialBody(Body):
    """A line of an official, contract section 4. Unknown fields are ignored. preview: tell what it would change."""

    model_config = ConfigDict(extra="ignore", strict=True, allow_inf_nan=False)

    type: Literal["official"] = "official"
    kind: Literal[
        "toss", "lag", "order", "choose", "concede", "warn", "award", "disqualify", "void", "not_called", "restored",
        "cannot_restore", "place_cue_ball", "ask", "shelf", "penalty_ball", "correct", "insert", "undo", "rack",
    ]  # fmt: skip
    player: Name | Annotated[list[Name], Field(max_length=16)] | None = None
    players: Annotated[list[Name], Field(max_length=16)] | None = None
    winner: Name | None = None
    option: Name | None = None
    ball: Ball | None = None
    balls: Places | Annotated[list[Ball], Field(max_length=30)] | None = None
    about: Name | None = None
    to: Name | None = None
    reason: Text | None = Field(default=None, alias="for")
    at: Place | None = None
    n: Number | None = None
    lines: Annotated[int, Field(ge=1, le=10**6)] | None = None
    line: Number | None = Field(default=None, description="of an undo: the line of the match that it takes back")
    follows: Annotated[int, Field(ge=0, le=10**6)] | None = Field(default=None, description=FOLLOWS)
    record: RecordBody | None = None
    preview: bool = False
    after: Annotated[int, Field(ge=0, le=10**9)] | None = Field(default=None, description=AFTER)


class AnswerBody(Body):
    """The referee's answer to a question of shot n."""

    n: Number
    question: Name
    value: bool | Text | Annotated[list[Ball], Field(max_length=30)] | Place
    ball: Ball | None = None
    preview: bool = False
    after: Annotated[int, Field(ge=0, le=10**9)] | None = Field(default=None, description=AFTER)


class UndoBody(Body):
    """Takes the last line back; again: the one before it. line: this line of the match. redo: the last undo."""

    line: Number | None = None
    redo: bool = False
    preview: bool = False
    after: Annotated[int, Field(ge=0, le=10**9)] | None = Field(default=None, description=AFTER)


class CorrectBody(Body):
    """The record of shot n as it should have been."""

    n: Number
    record: RecordBody
    preview: bool = False
    after: Annotated[int, Field(ge=0, le=10**9)] | None = Field(default=None, description=AFTER)


class InsertBody(Body):
    """A shot that wasn't recorded when it was played; follows: after this one, 0: before the first."""

    follows: Annotated[int, Field(ge=0, le=10**6)]
    record: RecordBody
    preview: bool = False
    after: Annotated[int, Field(ge=0, le=10**9)] | None = Field(default=None, description=AFTER)


class ShotBody(Body):
    """A record by hand. Times count from its own start, and are moved behind what is known of the match."""

    record: RecordBody


class SettingBody(Body):
    """A setting that may change during a match."""

    name: Literal["lang", "slow_play_s", "early_calls"]
    value: bool | float | Text | None


class PutBackBody(Body):
    """The layout to be restored: before shot n, or these positions; neither: what the rules want."""

    n: Number | None = None
    positions: Places | None = None


class SearchQuery(Body):
    """q: words that are in a match's players, game, note or date. game, player: only these."""

    q: Annotated[str, StringConstraints(max_length=200)] = ""
    game: Annotated[str, StringConstraints(max_length=40)] | None = None
    player: Annotated[str, StringConstraints(max_length=60)] | None = None
    limit: Annotated[int, Field(ge=1, le=500)] = 100
    offset: Annotated[int, Field(ge=0, le=10**6)] = 0


class PictureQuery(Body):
    """draw: what is drawn over the picture. width: of the answer in px, at most the picture's own."""

    draw: Literal["none", "markings", "balls", "wanted"] = "none"
    width: Annotated[int, Field(ge=160, le=3840)] | None = None


class CalibrationBody(Body):
    """find: look for the table in the picture; points: the px of named points of the table, which settle it."""

    find: bool = False
    points: (
        Annotated[
            dict[Name, Annotated[list[Annotated[float, Field(ge=-1e5, le=1e5)]], Field(min_length=2, max_length=2)]],
            Field(max_length=64),
        ]
        | None
    ) = None
    baulk: Literal["left", "right", "top", "bottom"] | None = None


class ReplayQuery(Body):
    """n: the shot; left out: the last one. before_s: seconds shown before it."""

    n: Annotated[int, Field(ge=1, le=10**6)] | Literal["last"] = "last"
    before_s: Annotated[float, Field(ge=0, le=120)] = 10.0


class StatisticsQuery(Body):
    """player: of this player or side over all matches that are kept; match: of this match; neither: of the running."""

    player: Annotated[str, StringConstraints(max_length=60)] | None = None
    match: Annotated[str, StringConstraints(max_length=100)] | None = None
    game: Annotated[str, StringConstraints(max_length=40)] | None = None
