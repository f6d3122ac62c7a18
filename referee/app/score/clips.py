"""Figures of tracks: against a truth that knows every place, and against boxes in the picture."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.app.names import same_ball
from referee.app.score.analysis import Analysis, Tracks
from referee.app.score.matching import box_iou, nearest_pairs, rates, spread
from referee.app.score.tracking_figures import Scene, clear_mot, hota, idf1, similarity, without_hidden

Array = NDArray[np.float64]
BOX_IOU = 0.2
BOX_SHARE = 0.8


def _row_ranges(tracks: Tracks) -> tuple[Array, list[NDArray[np.int64]]]:
    """The times of the analyzed frames, in order, and for each the rows that claim a place on the bed."""
    rows = np.flatnonzero(tracks.on_bed())
    all_times = np.unique(tracks.t)
    place = np.searchsorted(all_times, tracks.t[rows])
    order = np.argsort(place, kind="stable")
    cuts = np.searchsorted(place[order], np.arange(1, len(all_times)))
    return all_times, [np.asarray(part, dtype=np.int64) for part in np.split(rows[order], cuts)]


def _true_places(truth: dict[str, Any]) -> tuple[Array, list[str], Array, NDArray[np.bool_]]:
    """Times (f,), ball names, places (balls, f, 2) with nan where not on the table, hidden (balls, f)."""
    frames = truth["frames"]
    t = np.array(frames["t"], dtype=np.float64)
    names = list(frames["balls"])
    places = np.full((len(names), len(t), 2), np.nan)
    hidden = np.zeros((len(names), len(t)), dtype=bool)
    for i, name in enumerate(names):
        ball = frames["balls"][name]
        for axis, key in enumerate(("x", "y")):
            places[i, :, axis] = [np.nan if value is None else value for value in ball[key]]
        hidden[i] = [bool(value) for value in ball.get("hidden") or [False] * len(t)]
    return t, names, places, hidden


def frame_figures(
    analysis: Analysis, truth: dict[str, Any], diameter_mm: float
) -> tuple[dict[str, Any], dict[str, str], list[float]]:
    """Tracking figures against ``frames``, the true name of each track as IDF1 assigns them, and all errors in mm.

    A true frame is compared with the analyzed frame shown at its time; one that the analysis lacks counts as missed.
    """
    tracks = analysis.tracks
    if tracks is None:
        return {}, {}, []
    t, names, places, hidden = _true_places(truth)
    times, rows_at = _row_ranges(tracks)
    track_names = sorted(set(tracks.ball.tolist()))
    index = {name: i for i, name in enumerate(track_names)}
    half_frame = float(np.median(np.diff(t))) / 2 if len(t) > 1 else 0.02
    scenes, errors, named, named_right, hits, claims, true_total = [], [], 0, 0, 0, 0, 0
    for i, t_s in enumerate(t):
        nearest = int(np.argmin(np.abs(times - t_s))) if len(times) else -1
        shown = nearest >= 0 and abs(times[nearest] - t_s) <= half_frame
        rows = rows_at[nearest] if shown else np.empty(0, dtype=np.int64)
        present = np.flatnonzero(np.isfinite(places[:, i, 0]))
        found_xy = np.column_stack([tracks.x[rows], tracks.y[rows]])
        found_ids = np.array([index[name] for name in tracks.ball[rows]], dtype=np.int64)
        scene = Scene(
            true_ids=present, found_ids=found_ids, similarity=similarity(places[present, i], found_xy, diameter_mm)
        )
        scene = without_hidden(scene, hidden[present, i])
        scenes.append(scene)
        pairs = nearest_pairs(1.0 - scene.similarity, 0.5)
        hits, claims, true_total = hits + len(pairs), claims + len(scene.found_ids), true_total + len(scene.true_ids)
        for row, column in pairs:
            errors.append(float(1.0 - scene.similarity[row, column]) * diameter_mm)
            named += 1
            named_right += same_ball(track_names[scene.found_ids[column]], names[scene.true_ids[row]])
    identity, partners = idf1(scenes)
    figures = {
        "frames": len(t),
        "detection": rates(hits, claims - hits, true_total - hits),
        "identity": {"right": named_right, "of": named, "accuracy": round(named_right / named, 4) if named else None},
        "position": spread(errors, "mm"),
        **clear_mot(scenes),
        "idf1": identity,
        **hota(scenes),
    }
    return figures, {track_names[track]: names[ball] for ball, track in partners.items()}, errors


def _boxes(analysis: Analysis, tracks: Tracks, rows: NDArray[np.int64]) -> Array:
    """(n, 4) boxes of rows of the tracks in px, from the place in the picture and the camera's scale there."""
    assert analysis.calibration is not None
    radius_mm = analysis.calibration.table.ball_radius_mm
    xyz = np.column_stack([tracks.x[rows], tracks.y[rows], np.full(len(rows), radius_mm)])
    r = analysis.calibration.camera.sphere_radius_px(xyz, radius_mm)
    u, v = tracks.u[rows], tracks.v[rows]
    return np.column_stack([u - r, v - r, u + r, v + r])


def box_figures(analysis: Analysis, truth: dict[str, Any]) -> dict[str, Any]:
    """For each ball of ``boxes``: the share of its frames in which one track overlaps it by more than 0.2.

    A truth's name that is no ball's (``other``) is followed by the one track that does so best; no track may change
    on the way.
    """
    tracks = analysis.tracks
    figures: dict[str, Any] = {}
    if tracks is None or analysis.calibration is None:
        return {name: {"share": 0.0, "track": None, "right": False} for name in truth["boxes"]}
    on_bed = tracks.on_bed() & np.isfinite(tracks.u)
    for name, lines in truth["boxes"].items():
        true = {int(frame): np.array(box, dtype=np.float64) for frame, *box in lines}
        hits: dict[str, int] = {}
        rows = np.flatnonzero(on_bed & np.isin(tracks.frame, list(true)))
        boxes = _boxes(analysis, tracks, rows)
        for row, box in zip(rows, boxes, strict=True):
            ball = str(tracks.ball[row])
            if name != "other" and not same_ball(ball, name):
                continue
            overlap = box_iou(box[None], true[int(tracks.frame[row])][None])[0, 0]
            hits[ball] = hits.get(ball, 0) + int(overlap > BOX_IOU)
        best = max(hits, key=lambda ball: hits[ball], default=None)
        share = hits[best] / len(true) if best is not None and true else 0.0
        figures[name] = {"share": round(share, 4), "track": best, "right": share >= BOX_SHARE}
    return figures
