"""One-to-one matching of what was found with what is true, and the overlap of boxes."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.assignment import linear_sum_assignment

Array = NDArray[np.float64]
Pairs = list[tuple[int, int]]


def nearest_pairs(cost: Array, limit: float) -> Pairs:
    """Row and column pairs, as many as have a cost of at most ``limit``, then with the least sum.

    cost: (n, m), inf or nan where a pair is impossible.
    """
    if cost.size == 0:
        return []
    allowed = np.isfinite(cost) & (cost <= limit)
    # A pair out of reach costs more than any set of pairs within reach, so none is given up for a lower sum.
    out_of_reach = (abs(limit) + 1.0) * (min(cost.shape) + 1)
    rows, columns = linear_sum_assignment(np.where(allowed, cost, out_of_reach))
    return [(int(row), int(column)) for row, column in zip(rows, columns, strict=True) if allowed[row, column]]


def box_iou(boxes: Array, others: Array) -> Array:
    """(n, m) intersection over union of boxes (n, 4) and (m, 4), ``x0, y0, x1, y1`` in px."""
    a, b = boxes.reshape(-1, 1, 4), others.reshape(1, -1, 4)
    low, high = np.maximum(a[..., :2], b[..., :2]), np.minimum(a[..., 2:], b[..., 2:])
    shared = np.clip(high - low, 0, None).prod(axis=-1)
    area_a = (a[..., 2:] - a[..., :2]).prod(axis=-1)
    area_b = (b[..., 2:] - b[..., :2]).prod(axis=-1)
    union = area_a + area_b - shared
    return np.asarray(np.divide(shared, union, out=np.zeros_like(shared), where=union > 0))


def average_precision(scores: Sequence[float], hits: Sequence[bool], truths: int) -> float:
    """Area under the precision-recall curve, precision made non-increasing (Pascal VOC 2010 and later).

    scores and hits: one entry a detection; truths: how many objects there are, at least 1.
    """
    order = np.argsort(-np.asarray(scores, dtype=np.float64), kind="stable")
    hit = np.asarray(hits, dtype=bool)[order]
    true_positives = np.cumsum(hit)
    precision = true_positives / np.arange(1, len(hit) + 1)
    envelope = np.maximum.accumulate(precision[::-1])[::-1]
    return float(np.sum(envelope[hit]) / truths)


def rates(true_positives: int, false_positives: int, false_negatives: int) -> dict[str, float | int | None]:
    """Counts with precision, recall and F1; None where nothing was claimed or nothing is true."""
    claimed, true = true_positives + false_positives, true_positives + false_negatives
    return {
        "true_positives": true_positives,
        "false_positives": false_positives,
        "false_negatives": false_negatives,
        "precision": round(true_positives / claimed, 4) if claimed else None,
        "recall": round(true_positives / true, 4) if true else None,
        "f1": round(2 * true_positives / (claimed + true), 4) if claimed + true else None,
    }


def spread(errors: Sequence[float], unit: str) -> dict[str, float | int | None]:
    """Count, root mean square, median and 95th percentile of errors."""
    values = np.asarray(errors, dtype=np.float64)
    if len(values) == 0:
        return {"count": 0, f"rmse_{unit}": None, f"median_{unit}": None, f"p95_{unit}": None}
    return {
        "count": len(values),
        f"rmse_{unit}": round(float(np.sqrt(np.mean(values**2))), 3),
        f"median_{unit}": round(float(np.median(values)), 3),
        f"p95_{unit}": round(float(np.percentile(values, 95)), 3),
    }
