"""What one frame shows of the balls: the border between vision and tracking."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.frames import FrameStamp

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Observations:
    """Balls seen in one frame, as arrays of n rows, and what could not be seen.

    xy_mm: (n, 2) ball centres on the table, on the plane a ball's radius above the cloth. cov_mm2: (n, 2, 2).
    uv_px: (n, 2) centres and radius_px: (n,) radii in the picture. identity_logp: (n, k) log likelihood of each
    name in ``identities`` (a ball kind: ``red`` and not ``red-3``; ``solid``; ``7``), up to a constant a row.
    visibility: (n,) share of the ball's outline that is in the open, 0 to 1. blind: polygons (m, 2) in mm of
    the parts of the table that something covers in this frame. in_pockets_mm: (m, 2) centres, on the same plane as
    ``xy_mm``, of what lies still in a pocket or over its edge and may be on the bed or not. repeat: the picture is the
    one before, shown again. view: False where the picture doesn't show the calibrated table at all (a cut to another
    camera).
    """

    stamp: FrameStamp
    identities: tuple[str, ...]
    xy_mm: Array
    cov_mm2: Array
    uv_px: Array
    radius_px: Array
    identity_logp: Array
    visibility: Array
    blind: tuple[Array, ...] = field(default_factory=tuple)
    in_pockets_mm: Array = field(default_factory=lambda: np.empty((0, 2)))
    repeat: bool = False
    view: bool = True

    def __post_init__(self) -> None:
        n, k = len(self.xy_mm), len(self.identities)
        wanted = {
            "xy_mm": (n, 2),
            "cov_mm2": (n, 2, 2),
            "uv_px": (n, 2),
            "radius_px": (n,),
            "identity_logp": (n, k),
            "visibility": (n,),
        }
        for name, shape in wanted.items():
            got = getattr(self, name).shape
            if got != shape:
                raise ValueError(f"{name} must have shape {shape}, got {got}")

    def __len__(self) -> int:
        return len(self.xy_mm)

    @classmethod
    def without_view(cls, stamp: FrameStamp, identities: tuple[str, ...]) -> "Observations":
        """Of a moment in which the table was not seen at all."""
        return cls(
            stamp=stamp,
            identities=identities,
            xy_mm=np.empty((0, 2)),
            cov_mm2=np.empty((0, 2, 2)),
            uv_px=np.empty((0, 2)),
            radius_px=np.empty(0),
            identity_logp=np.empty((0, len(identities))),
            visibility=np.empty(0),
            view=False,
        )
