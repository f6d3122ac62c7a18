"""Video of the running match: the pieces that hold a shot, and the pieces themselves, with ranges."""

import re
from pathlib import Path
from typing import Any

from starlette.responses import FileResponse, Response

from referee.app.desk.desk import Desk
from referee.app.live.segments import read_index
from referee.app.server.bodies import ReplayQuery
from referee.app.server.endpoints import Call, Endpoint
from referee.app.server.errors import Refused
from referee.app.server.match_api import desk_of
from tracking.records import ShotRecord

AFTER_S = 2.0
PIECE = re.compile(r"[0-9]{1,12}\.mp4")


def replay(call: Call) -> dict[str, Any]:
    """Where a shot is to be seen, with some seconds before and after it: the pieces in order, each with its times."""
    query: ReplayQuery = call.query
    desk = desk_of(call)
    record = _record(desk, query.n)
    t0, t1 = max(0.0, record.t0 - query.before_s), record.t1 + AFTER_S
    index = read_index(desk.folder / "video")
    pieces = [
        {
            "url": f"/media/{desk.id}/{name}",
            "t0": entry["t0"],
            "t1": entry.get("t1"),
            "open": bool(entry.get("open")),
        }
        for name, entry in index.items()
        if not entry.get("deleted") and entry["t0"] <= t1 and float(entry.get("t1") or t1) >= t0
    ]
    if not pieces:
        raise Refused(404, "no video of this shot is kept")
    return {
        "n": record.n,
        "t0": t0,
        "t1": t1,
        "shot": [record.t0, record.t1],
        "video": pieces[0]["url"],
        "segments": pieces,
    }


def _record(desk: Desk, n: int | str) -> ShotRecord:
    match = desk.match
    step = next(reversed(match.shots), None) if n == "last" else match.shot(int(n))
    if step is None or not isinstance(step.item, ShotRecord):
        raise Refused(404, "no such shot is in force")
    return step.item


def piece(call: Call) -> Response:
    """A piece of video; only names that the match's index holds are ever opened."""
    folder: Path = call.house.matches.folder_of(call.path["id"]) / "video"
    name = call.path["name"]
    entry = read_index(folder).get(name) if PIECE.fullmatch(name) else None
    path = folder / name
    if entry is None or entry.get("deleted") or path.is_symlink() or not path.is_file():
        raise Refused(404, "no such piece of video is kept")
    return FileResponse(path, media_type="video/mp4", headers={"Cache-Control": "no-cache"})


ENDPOINTS = (
    Endpoint(
        method="GET", path="/api/replay", handle=replay, query=ReplayQuery, refusals=(404, 409, 422),
        summary="Where in the video a shot is to be seen",
    ),
    Endpoint(
        method="GET", path="/media/{id}/{name}", handle=piece, media="video/mp4", refusals=(404, 416),
        summary="A piece of a match's video, with ranges",
    ),
)  # fmt: skip
