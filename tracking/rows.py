"""Rows of ``tracks.parquet``: as tracked between shots, and corrected by the fitted paths for the frames of a shot."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from calibration.camera import CameraModel
from tracking.geometry import Bed
from tracking.infer.evidence import Evidence
from tracking.paths import BallPath
from tracking.tracks import BallState, TrackedBall, TrackFrame


class FrameRow(NamedTuple):
    """A ball in a frame, columns as in the contract; ``state`` is a `BallState`'s value."""

    frame: int
    t: float
    ball: str
    x: float
    y: float
    vx: float
    vy: float
    sigma: float
    state: str
    visible: bool
    u: float
    v: float


@dataclass(slots=True)
class KeptFrame:
    """A frame that waits for its shot's end, with the number of the picture that it shows."""

    frame: TrackFrame
    picture: int


def _row(frame: TrackFrame, ball: TrackedBall, name: str) -> FrameRow:
    stamp, state = frame.stamp, ball.state.value
    return FrameRow(
        stamp.index,
        stamp.t_s,
        name,
        ball.x,
        ball.y,
        ball.vx,
        ball.vy,
        ball.sigma_mm,
        state,
        ball.visible,
        ball.u,
        ball.v,
    )


def plain_rows(frame: TrackFrame) -> list[FrameRow]:
    """The rows of one frame as the tracker had it."""
    return [_row(frame, ball, ball.name) for ball in frame.balls]


class _Told(NamedTuple):
    """A row whose ball's fitted path may speak of its time ``t_s``; ``at``: which of the rows it is."""

    at: int
    t_s: float
    row: FrameRow


def final_rows(
    evidence: Evidence,
    leaves: dict[str, float],
    kept: list[KeptFrame],
    bearer: Callable[[int, int], str | None],
    camera: CameraModel | None,
) -> list[FrameRow]:
    """Rows of a shot's frames: names as settled at its end, places of moving balls from their fitted paths.

    bearer: track key and picture → name. A ball that wasn't seen for some frames on its way is put where its path
    leads.
    """
    rows: list[FrameRow] = []
    told: dict[str, list[_Told]] = {name: [] for name, path in evidence.paths.items() if path.moved}
    for each in kept:
        if not each.frame.view:
            continue
        t = evidence.picture_s.get(each.picture, each.frame.stamp.t_s)
        for ball in each.frame.balls:
            name = bearer(ball.key, each.picture)
            if name is None:
                continue
            row = _row(each.frame, ball, name)
            if name in told:
                told[name].append(_Told(len(rows), t, row))
            if name in leaves and t > leaves[name] and not ball.visible:
                row = row._replace(state=BallState.POCKETED.value, vx=0.0, vy=0.0)
            rows.append(row)
    for name, each_told in told.items():
        for at, row in _on_path(evidence.paths[name], each_told, evidence.bed, camera):
            rows[at] = row
    return rows


def _on_path(path: BallPath, told: list[_Told], bed: Bed, camera: CameraModel | None) -> Iterator[tuple[int, FrameRow]]:
    """Those of one ball's rows of which its path speaks, with the places that it gives.

    It speaks of times between its samples, and near the ball where that was seen.
    """
    t = np.array([each.t_s for each in told])
    seen = np.array([each.row.visible for each in told], dtype=bool)
    where = path.places(t)
    off = where - np.array([(each.row.x, each.row.y) for each in told]).reshape(-1, 2)
    covered = (path.t_s[0] - 1e-6 <= t) & (t <= path.t_s[-1] + 1e-6)
    covered &= ~seen | (np.hypot(off[:, 0], off[:, 1]) < bed.diameter / 2)
    ends = np.array([kink.t_s for kink in path.kinks])
    pieces = np.array([*(kink.index for kink in path.kinks), len(path.pieces) - 1])
    # the first kink that is still ahead ends the piece
    ahead = np.column_stack([t[:, None] < ends, np.ones(len(t), dtype=bool)])
    own = pieces[ahead.argmax(axis=1)]
    for number in np.unique(own[covered]).tolist():
        piece = path.pieces[number]
        mine = np.flatnonzero(covered & (own == number))
        velocity = piece.velocity_at(t[mine])
        sigma = np.sqrt(piece.place_variance(np.clip(t[mine], piece.t0_s, piece.t1_s)))
        uv = None
        if camera is not None and not seen[mine].all():
            uv = camera.project(np.column_stack([where[mine], np.full(len(mine), bed.radius)]))
        state = (BallState.AT_REST if piece.at_rest else BallState.MOVING).value
        for k, i in enumerate(mine.tolist()):
            at, _, row = told[i]
            (x, y), (vx, vy) = where[i].tolist(), velocity[k].tolist()
            u, v = (row.u, row.v) if uv is None or seen[i] else uv[k].tolist()
            yield at, FrameRow(row.frame, row.t, row.ball, x, y, vx, vy, float(sigma[k]), state, row.visible, u, v)
