"""The API of the camera: its picture, its calibration, and whom it watches for."""

import contextlib
from typing import Any

from starlette.responses import JSONResponse, Response

from calibration.points import named_points
from calibration.result import FailedCalibration
from referee.app.desk.desk import Desk
from referee.app.live.segments import read_index
from referee.app.said import in_words
from referee.app.server.access import REFEREE
from referee.app.server.bodies import CalibrationBody, PictureQuery
from referee.app.server.endpoints import Call, Endpoint
from referee.app.server.errors import Refused
from referee.app.server.match_api import INPUT, desk_of, done
from tracking.strict_json import MalformedRecord

RESUMED_AFTER_S = 1.0


def watch(camera: Any, desk: Desk | None) -> None:
    """The eye watches for the match that is running; its clock goes on after what the log and the video hold."""
    if desk is None:
        camera.rest()
        return
    ends = [float(entry.get("t1") or entry.get("t0") or 0.0) for entry in read_index(desk.folder / "video").values()]

    def protect(n: int, t0_s: float, t1_s: float) -> None:
        with contextlib.suppress(OSError):  # a full disk is told of by the eye itself
            camera.protect(n, t0_s, t1_s)

    desk.on_doubt = protect
    last = max([desk.ledger.t_s, *ends])
    camera.watch(desk, desk.folder, last + RESUMED_AFTER_S if last > 0 else 0.0)


def eye_of(call: Call) -> Any:
    if call.house.camera is None:
        raise Refused(409, "the camera is off; start cueref live with a source to use one")
    return call.house.camera


def picture(call: Call) -> Response:
    from referee.app.server.picture import jpeg  # OpenCV only where there is a picture

    query: PictureQuery = call.query
    camera = eye_of(call)
    shown = camera.picture()
    if shown is None:
        raise Refused(503, "the camera has sent no picture yet", headers={"Retry-After": "1"})
    desk = call.house.matches.current
    data = jpeg(shown.bgr, camera.calibration or camera.proposed, desk, query.draw, query.width)
    return Response(data, media_type="image/jpeg", headers={"X-Frame-Time": f"{shown.t_s:.6f}"})


def calibration(call: Call) -> dict[str, Any]:
    return in_languages(eye_of(call).calibration_json())


def in_languages(found: dict[str, Any]) -> dict[str, Any]:
    """With the reason and the warnings in the languages of the pages."""
    reason = found.get("reason")
    warnings = [in_words(str(each)) for each in found.get("warnings") or ()]
    return found | {"reason_text": in_words(str(reason)) if reason else None, "warnings_text": warnings}


def calibrate(call: Call) -> Response:
    """Finding takes some seconds. That nothing was found is an answer (``phase``: failed), not an error."""
    body: CalibrationBody = call.body
    if body.find == (body.points is not None):
        raise Refused(422, "find: true or points, one of them", "find")
    camera, desk = eye_of(call), desk_of(call)
    game, table = desk.match.game.name, desk.match.state.table.spec
    if body.points is None:
        found = camera.find(game, table, body.baulk)
    else:
        known = named_points(table)
        for name in body.points:
            if name not in known:
                raise MalformedRecord(f"points.{name}", "one of " + ", ".join(known), name)
        found = camera.use_points({name: (at[0], at[1]) for name, at in body.points.items()}, game, table)
    answer: dict[str, Any] = camera.calibration_json()
    if isinstance(found, FailedCalibration):
        answer |= {"phase": "failed", "reason": found.reason}
    return JSONResponse(in_languages(answer))


def accept(call: Call) -> dict[str, Any]:
    from referee.app.live.eye import NothingToAccept

    try:
        eye_of(call).accept()
    except NothingToAccept as error:
        raise Refused(409, str(error)) from None
    desk = call.house.matches.current
    return {"seq": 0, "verdict": None} if desk is None else done(desk)


ENDPOINTS = (
    Endpoint(
        method="GET", path="/api/picture.jpg", handle=picture, query=PictureQuery, media="image/jpeg",
        refusals=(409, 422, 503), summary="The newest picture, with what is asked for drawn over it",
    ),
    Endpoint(
        method="GET", path="/api/calibration", handle=calibration, refusals=(409,),
        summary="How the camera is calibrated, and where it sees the table's named points",
    ),
    Endpoint(
        method="POST", path="/api/calibration", handle=calibrate, body=CalibrationBody, role=REFEREE, refusals=INPUT,
        summary="Look for the table, or take the named points as given; what comes of it waits to be accepted",
    ),
    Endpoint(
        method="POST", path="/api/calibration/accept", handle=accept, role=REFEREE, refusals=(401, 403, 409, 507),
        summary="Use the proposed calibration",
    ),
)  # fmt: skip
