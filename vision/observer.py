"""Balls frame by frame."""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.result import Calibration
from vision.balls import BallSet
from vision.frames import Frame
from vision.geometry import Array, table_view
from vision.observations import Observations
from vision.stills import identify_scene, take_apart

REPEAT_DIFFERENCE = 0.6
CENTRE_SIGMA_PX = 0.35


@dataclass(slots=True)
class _Last:
    small: NDArray[Any] | None = None
    seen: Observations | None = None


class Observer:
    """Watches the balls of one calibrated table through the frames of one video, in order."""

    def __init__(self, calibration: Calibration, ball_set: BallSet) -> None:
        self.calibration = calibration
        self.ball_set = ball_set
        self._view = table_view(calibration)
        self._last = _Last()

    def observe(self, frame: Frame) -> Observations:
        """What this frame shows; frames must come in the order of their stamps."""
        view = self._view
        small = cv2.resize(view.crop(frame.bgr), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        last = self._last
        if last.small is not None and last.seen is not None:
            change = cv2.absdiff(small, last.small)
            if float(np.percentile(change, 99.9)) < 4 and float(change.mean()) < REPEAT_DIFFERENCE:
                seen = last.seen
                return Observations(
                    stamp=frame.stamp,
                    identities=seen.identities,
                    xy_mm=seen.xy_mm,
                    cov_mm2=seen.cov_mm2,
                    uv_px=seen.uv_px,
                    radius_px=seen.radius_px,
                    identity_logp=seen.identity_logp,
                    visibility=seen.visibility,
                    blind=seen.blind,
                    repeat=True,
                    view=seen.view,
                )
        scene = take_apart(frame.bgr, view)
        logp, chosen = identify_scene(scene, view, self.ball_set)
        kept = np.flatnonzero(chosen >= 0)
        xy = scene.xy_mm[kept]
        seen = Observations(
            stamp=frame.stamp,
            identities=self.ball_set.kinds,
            xy_mm=xy,
            cov_mm2=self._covariance(xy),
            uv_px=view.to_picture(scene.centre[kept]),
            radius_px=scene.radius[kept] / view.scale,
            identity_logp=logp[kept],
            visibility=scene.visible[kept],
        )
        self._last = _Last(small=small, seen=seen)
        return seen

    def _covariance(self, xy_mm: Array) -> Array:
        jacobian = np.linalg.inv(
            self.calibration.camera.jacobian_px_per_mm(xy_mm, self.calibration.table.ball_radius_mm)
        )
        covariance: Array = CENTRE_SIGMA_PX**2 * jacobian @ jacobian.transpose(0, 2, 1)
        return covariance
