"""Rows of ``tracks.parquet``: as tracked between shots, and corrected by the fitted paths for the frames of a shot."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from calibration.camera import CameraModel
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
    return FrameRow(
        frame=frame.stamp.index,
        t=frame.stamp.t_s,
        ball=name,
        x=ball.x,
        y=ball.y,
        vx=ball.vx,
        vy=ball.vy,
        sigma=ball.sigma_mm,
        state=ball.state.value,
        visible=ball.visible,
        u=ball.u,
        v=ball.v,
    )


def plain_rows(frame: TrackFrame) -> list[FrameRow]:
    """The rows of one frame as the tracker had it."""
    return [_row(frame, ball, ball.name) for ball in frame.balls]


def _covers(path: BallPath, t_s: float, ball: TrackedBall, diameter_mm: float) -> bool:
    """Whether the fitted path speaks of this time: between its samples, and near the ball where that was seen."""
    if not path.t_s[0] - 1e-6 <= t_s <= path.t_s[-1] + 1e-6:
        return False
    return not ball.visible or float(np.hypot(*(path.at(t_s) - (ball.x, ball.y)))) < diameter_mm / 2


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
    radius = evidence.bed.radius
    for each in kept:
        if not each.frame.view:
            continue
        t = evidence.picture_s.get(each.picture, each.frame.stamp.t_s)
        for ball in each.frame.balls:
            name = bearer(ball.key, each.picture)
            if name is None:
                continue
            row = _row(each.frame, ball, name)
            path = evidence.paths.get(name)
            if path is not None and path.moved and _covers(path, t, ball, evidence.bed.diameter):
                piece = path.piece_at(t)
                (x, y), (vx, vy) = path.at(t), piece.velocity_at(t)
                u, v = row.u, row.v
                if camera is not None and not ball.visible:
                    u, v = camera.project(np.array([[x, y, radius]]))[0]
                sigma = float(np.sqrt(piece.place_variance(float(np.clip(t, piece.t0_s, piece.t1_s)))))
                state = BallState.AT_REST if piece.at_rest else BallState.MOVING
                row = row._replace(
                    x=float(x),
                    y=float(y),
                    vx=float(vx),
                    vy=float(vy),
                    sigma=sigma,
                    state=state.value,
                    u=float(u),
                    v=float(v),
                )
            elif name in leaves and t > leaves[name] and not ball.visible:
                row = row._replace(state=BallState.POCKETED.value, vx=0.0, vy=0.0)
            rows.append(row)
    return rows
