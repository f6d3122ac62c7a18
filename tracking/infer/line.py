"""Lines: when a ball's centre went over the head string or house line, and the centre line."""

from itertools import pairwise

import numpy as np

from tracking.infer.evidence import Evidence
from tracking.paths import PLACE_BIAS_MM, BallPath, Piece
from tracking.records import Crossed

LINES: dict[str, dict[str, float]] = {
    "pool": {"head_string": 0.25},
    "pyramid": {"house_line": 0.25, "centre_line": 0.5},
}
"""By the table's family: the lines whose crossing matters, and where they are as a share of the length."""

CLEAR_SIGMAS = 3.0
"""A ball whose centre didn't get farther beyond a line than this may not have crossed it."""
SURE, UNSURE = 0.95, 0.6


def infer_crossings(evidence: Evidence, ball: str, path: BallPath) -> list[Crossed]:
    """All crossings of one ball, in order of time."""
    found = []
    for line, share in LINES.get(evidence.bed.table.family, {}).items():
        level = share * evidence.bed.length
        times = [each for span in _runs(path) for each in _times(*span, level)]
        for t_s, until_s in pairwise([*sorted(times), np.inf]):
            piece = path.piece_at(t_s)
            speed = float(piece.velocity_at(t_s)[1])
            sigma_s = float(np.sqrt(piece.place_variance(t_s))) / max(abs(speed), 1.0)
            beyond = np.sign(speed) * (path.xy_mm[(path.t_s > t_s) & (path.t_s < until_s), 1] - level)
            clear = len(beyond) > 0 and float(np.percentile(beyond, 75)) > CLEAR_SIGMAS * path.sigma_mm
            found.append(
                Crossed(
                    t_s=float(t_s),
                    t_sigma_s=float(
                        np.hypot.reduce([sigma_s, evidence.clock_sigma_s, PLACE_BIAS_MM / max(abs(speed), 1.0)])
                    ),
                    confidence=SURE if clear else UNSURE,
                    ball=ball,
                    line=line,
                )
            )
    return sorted(found, key=lambda event: event.t_s)


def _runs(path: BallPath) -> list[tuple[Piece, float, float]]:
    """The moving pieces, each from the kink at its start to the kink at its end."""
    cuts = [path.pieces[0].t0_s, *(kink.t_s for kink in path.kinks), path.pieces[-1].t1_s]
    spans = zip(path.pieces, pairwise(cuts), strict=True)
    return [(piece, start, end) for piece, (start, end) in spans if not piece.at_rest]


def _times(piece: Piece, start_s: float, end_s: float, level: float) -> list[float]:
    """When the piece goes from one side of the level to the other."""
    a, v, p = piece.acceleration[1] / 2, piece.velocity[1], piece.place[1] - level
    roots = np.roots([a, v, p]) if abs(a) > 1e-9 else np.array([-p / v] if v else [])
    real = roots[np.isreal(roots)].real + piece.ref_s
    return [float(t) for t in real if start_s < t <= end_s and abs(float(piece.velocity_at(t)[1])) > 0.0]
