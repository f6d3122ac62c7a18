"""The truth of a film as `truth.json` (contract, section 8)."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from calibration.camera import CameraModel
from calibration.tables import TABLES, TableSpec
from referee.app.simulate.derived import jump_events, line_events
from referee.app.simulate.dynamics.motion import Phase
from referee.app.simulate.film.film import Filmed
from referee.app.simulate.reel import Reel, Shot

REPEATED_S = 0.02
"""The same two balls that touch again within this time touched once, as far as anybody can say."""


def table_field(spec: TableSpec) -> str | dict[str, float]:
    """The table by name, or its measures."""
    if spec.name in TABLES:
        return spec.name
    return {"length": spec.length_mm, "width": spec.width_mm, "ball_diameter": spec.ball_diameter_mm}


def _time(t: float) -> float:
    return round(t, 6)


def _place(place: Sequence[float]) -> list[float]:
    return [round(float(place[0]), 3), round(float(place[1]), 3)]


def shot_events(shot: Shot, spec: TableSpec) -> list[dict[str, Any]]:
    """The events of one shot in order of time, as a shot record has them."""
    events: list[dict[str, Any]] = []
    if shot.stroke is not None:
        events.append({"t": _time(shot.t0), "kind": "strike", "ball": "cue"})
    last: dict[tuple[str, ...], float] = {}
    derived = [*line_events(shot.roll, spec), *jump_events(shot.roll, spec.ball_radius_mm)]
    happened = sorted([*shot.roll.events, *shot.extra, *derived], key=lambda e: e.t)
    for event in happened:
        fields = {key: value for key, value in event.fields.items() if key not in ("entry", "exit")}
        if event.kind == "contact":
            fields["balls"] = sorted(fields["balls"], key=lambda ball: ball != "cue")
        if event.kind in ("contact", "cushion"):
            key = (event.kind, *sorted(fields.get("balls", [])), str(fields.get("ball")), str(fields.get("cushion")))
            again = event.t - last.get(key, -1e9) < REPEATED_S
            last[key] = event.t
            if again:
                continue
        events.append({"t": _time(event.t), "kind": event.kind, **fields})
    events.append({"t": _time(shot.t1), "kind": "rest"})
    return events


def shot_record(shot: Shot, spec: TableSpec) -> dict[str, Any]:
    """A shot record (contract, section 3)."""
    record: dict[str, Any] = {
        "type": "shot",
        "n": shot.n,
        "t0": _time(shot.t0),
        "t1": _time(shot.t1),
        "before": {name: _place(place) for name, place in shot.before.items()},
        "events": shot_events(shot, spec),
        "after": {name: _place(place) for name, place in shot.roll.resting().items()},
    }
    if shot.nominated:
        record["nominated"] = dict(shot.nominated)
    return record


def frames_field(reel: Reel, times: Sequence[float], hidden: Mapping[str, Sequence[bool]]) -> dict[str, Any]:
    """Positions of all balls in all frames; null where a ball isn't on the table."""
    balls: dict[str, Any] = {}
    t = np.asarray(times)
    for name, path in reel.paths.items():
        xyz = path.positions(t)
        x: list[float | None] = []
        y: list[float | None] = []
        for k, moment in enumerate(times):
            on = moment >= path.segments[0].t0 and path.at(moment).phase is not Phase.GONE
            x.append(round(float(xyz[k, 0]), 3) if on else None)
            y.append(round(float(xyz[k, 1]), 3) if on else None)
        covered = hidden.get(name, [False] * len(times))
        balls[name] = {"x": x, "y": y, "hidden": [bool(h) for h in covered]}
    return {"t": [_time(moment) for moment in times], "balls": balls}


def first_frame(reel: Reel, camera: CameraModel, t: float) -> list[dict[str, Any]]:
    """Balls of the first frame with their pixels."""
    found = []
    for name, path in reel.paths.items():
        if t < path.segments[0].t0 or path.at(t).phase is Phase.GONE:
            continue
        centre = path.state(t).position
        u, v = camera.project(centre[None])[0]
        found.append(
            {"ball": name, "x": round(float(centre[0]), 3), "y": round(float(centre[1]), 3)}
            | {"u": round(float(u), 2), "v": round(float(v), 2)}
        )
    return found


def truth(
    *,
    game: str,
    spec: TableSpec,
    reel: Reel,
    filmed: Filmed,
    state: Mapping[str, Any] | None = None,
    verdicts: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """All that is true of a film."""
    camera, times = filmed.cameras[0][1], filmed.times
    shots = [shot_record(shot, spec) for shot in reel.shots]
    balls = first_frame(reel, camera, times[0])
    counts: dict[str, int] = {}
    for ball in balls:
        kind = str(ball["ball"]).split("-")[0]
        counts[kind] = counts.get(kind, 0) + 1
    pocketed = [e for record in shots for e in record["events"] if e["kind"] == "pocket" and e["ball"] != "cue"]
    result: dict[str, Any] = {
        "game": game,
        "table": table_field(spec),
        "count": len(balls),
        "counts": counts,
        "balls": balls,
        "camera": camera.to_json(),
        "events": [event for record in shots for event in record["events"]],
        "shots": shots,
    }
    if len(shots) == 1:
        one = pocketed[0] if len(pocketed) == 1 else None
        result["pot"] = {"ball": one["ball"], "pocket": one["pocket"]} if one else None
    if len(filmed.cameras) > 1:
        result["cameras"] = [{"t": _time(t), **model.to_json()} for t, model in filmed.cameras]
    if state:
        result["state"] = dict(state)
    if verdicts:
        result["verdicts"] = list(verdicts)
    result["frames"] = frames_field(reel, times, filmed.hidden)
    return result


def write_truth(path: FilePath, data: Mapping[str, Any]) -> None:
    """Write truth.json, byte for byte the same for the same truth."""
    path.write_text(json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
