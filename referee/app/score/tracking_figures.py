"""MOTA, IDF1 and HOTA for balls as points on the table.

Similarity of two places is ``1 - distance / diameter``, at least 0: touching balls of one size share nothing. MOTA and
IDF1 count a match at a similarity of 0.5, half a ball.

MOTA: Bernardin and Stiefelhagen, "Evaluating Multiple Object Tracking Performance: The CLEAR MOT Metrics" (2008).
IDF1: Ristani et al., "Performance Measures and a Data Set for Multi-Target, Multi-Camera Tracking" (2016).
HOTA: Luiten et al., "HOTA: A Higher Order Metric for Evaluating Multi-Object Tracking" (2021).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.app.score.matching import nearest_pairs
from vision.assignment import linear_sum_assignment

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
ALPHAS = np.arange(0.05, 0.96, 0.05)
MATCH = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One frame: ids of the true and the found balls, counted from 0, and their similarity (true, found)."""

    true_ids: Indices
    found_ids: Indices
    similarity: Array


def similarity(true_xy_mm: Array, found_xy_mm: Array, diameter_mm: float) -> Array:
    """(n, m) of places (n, 2) and (m, 2) on the table."""
    distance = np.linalg.norm(true_xy_mm[:, None, :] - found_xy_mm[None, :, :], axis=-1)
    return np.asarray(np.clip(1.0 - distance / diameter_mm, 0.0, 1.0))


def without_hidden(scene: Scene, hidden: NDArray[np.bool_]) -> Scene:
    """The frame without the balls that cannot be seen, and without the claims that lie on them."""
    pairs = nearest_pairs(1.0 - scene.similarity, 1.0 - MATCH)
    excused = {column for row, column in pairs if hidden[row]}
    rows = np.flatnonzero(~hidden)
    columns = np.array([c for c in range(len(scene.found_ids)) if c not in excused], dtype=np.int64)
    return Scene(
        true_ids=scene.true_ids[rows],
        found_ids=scene.found_ids[columns],
        similarity=scene.similarity[np.ix_(rows, columns)],
    )


def clear_mot(scenes: Sequence[Scene]) -> dict[str, float | int | None]:
    """MOTA with its three kinds of error; a match holds on while it can, as the paper asks."""
    partner: dict[int, int] = {}
    misses = claims = switches = true = 0
    for scene in scenes:
        true += len(scene.true_ids)
        row_of = {int(ball): row for row, ball in enumerate(scene.true_ids)}
        column_of = {int(track): column for column, track in enumerate(scene.found_ids)}
        held = {}
        for ball, track in partner.items():
            row, column = row_of.get(ball), column_of.get(track)
            if row is not None and column is not None and scene.similarity[row, column] >= MATCH:
                held[row] = column
        rows = [row for row in range(len(row_of)) if row not in held]
        columns = [column for column in range(len(column_of)) if column not in set(held.values())]
        rest = 1.0 - scene.similarity[np.ix_(rows, columns)]
        new = {rows[row]: columns[column] for row, column in nearest_pairs(rest, 1.0 - MATCH)}
        for row, column in new.items():
            ball, track = int(scene.true_ids[row]), int(scene.found_ids[column])
            switches += ball in partner and partner[ball] != track
            partner[ball] = track
        misses += len(row_of) - len(held) - len(new)
        claims += len(column_of) - len(held) - len(new)
    return {
        "mota": round(1.0 - (misses + claims + switches) / true, 4) if true else None,
        "misses": misses,
        "false_positives": claims,
        "switches": switches,
    }


def _sizes(scenes: Sequence[Scene]) -> tuple[Array, Array]:
    """In how many frames each true ball and each track is."""
    balls = max((int(scene.true_ids.max(initial=-1)) for scene in scenes), default=-1) + 1
    tracks = max((int(scene.found_ids.max(initial=-1)) for scene in scenes), default=-1) + 1
    ball_frames, track_frames = np.zeros(balls), np.zeros(tracks)
    for scene in scenes:
        ball_frames[scene.true_ids] += 1
        track_frames[scene.found_ids] += 1
    return ball_frames, track_frames


def idf1(scenes: Sequence[Scene]) -> tuple[float | None, dict[int, int]]:
    """IDF1, and the partner track of each true ball under the assignment of whole tracks that it rests on."""
    ball_frames, track_frames = _sizes(scenes)
    together = np.zeros((len(ball_frames), len(track_frames)))
    for scene in scenes:
        rows, columns = np.nonzero(scene.similarity >= MATCH)
        together[scene.true_ids[rows], scene.found_ids[columns]] += 1
    rows, columns = linear_sum_assignment(-together)
    total = ball_frames.sum() + track_frames.sum()
    partners = {int(r): int(c) for r, c in zip(rows, columns, strict=True) if together[r, c] > 0}
    return (round(float(2 * together[rows, columns].sum() / total), 4) if total else None), partners


def hota(scenes: Sequence[Scene]) -> dict[str, float | None]:
    """HOTA with its parts for detection and association, means over the localization thresholds."""
    ball_frames, track_frames = _sizes(scenes)
    if not ball_frames.sum() + track_frames.sum():
        return {"hota": None, "deta": None, "assa": None}
    shape = (len(ball_frames), len(track_frames))
    overlap = np.zeros(shape)
    for scene in scenes:
        s = scene.similarity
        union = s.sum(axis=0)[None, :] + s.sum(axis=1)[:, None] - s
        overlap[np.ix_(scene.true_ids, scene.found_ids)] += np.divide(s, union, out=np.zeros_like(s), where=union > 0)
    either = ball_frames[:, None] + track_frames[None, :]
    alignment = overlap / np.maximum(either - overlap, 1e-12)
    matched = np.zeros((len(ALPHAS), *shape))
    for scene in scenes:
        rows, columns = linear_sum_assignment(-alignment[np.ix_(scene.true_ids, scene.found_ids)] * scene.similarity)
        near = scene.similarity[rows, columns][None, :] >= ALPHAS[:, None] - 1e-9
        for level in range(len(ALPHAS)):
            matched[level, scene.true_ids[rows[near[level]]], scene.found_ids[columns[near[level]]]] += 1
    hits = matched.sum(axis=(1, 2))
    deta = hits / (ball_frames.sum() + track_frames.sum() - hits)
    agreement = matched / np.maximum(either[None] - matched, 1e-12)
    assa = (matched * agreement).sum(axis=(1, 2)) / np.maximum(hits, 1)
    return {
        "hota": round(float(np.mean(np.sqrt(deta * assa))), 4),
        "deta": round(float(np.mean(deta)), 4),
        "assa": round(float(np.mean(assa)), 4),
    }
