"""Figures of one picture: how many balls, which colours, where, and how sure."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.app.names import group, kind, same_ball
from referee.app.score.analysis import Analysis, ScoreError
from referee.app.score.matching import average_precision, box_iou, nearest_pairs, rates, spread

Array = NDArray[np.float64]
GROUPS = ("cue", "8", "solid", "stripe")
MASK_CLASSES = ("background", "cue", "8", "solid", "stripe", "cloth")


@dataclass(slots=True, kw_only=True)
class Detections:
    """What the pictures of a set have in common to be counted together: hits, errors, and scored boxes by group."""

    true_positives: int = 0
    false_positives: int = 0
    false_negatives: int = 0
    errors_mm: list[float] = field(default_factory=list)
    errors_px: list[float] = field(default_factory=list)
    named: int = 0
    named_right: int = 0
    truths: Counter[str] = field(default_factory=Counter)
    scored: dict[str, list[tuple[float, bool]]] = field(default_factory=dict)

    def add(self, other: "Detections") -> None:
        self.true_positives += other.true_positives
        self.false_positives += other.false_positives
        self.false_negatives += other.false_negatives
        self.errors_mm += other.errors_mm
        self.errors_px += other.errors_px
        self.named += other.named
        self.named_right += other.named_right
        self.truths += other.truths
        for name, hits in other.scored.items():
            self.scored.setdefault(name, []).extend(hits)

    def figures(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "detection": rates(self.true_positives, self.false_positives, self.false_negatives),
        }
        if self.errors_mm or self.errors_px:
            found["position"] = {"mm": spread(self.errors_mm, "mm"), "px": spread(self.errors_px, "px")}
        if self.named:
            found["identity"] = {
                "right": self.named_right,
                "of": self.named,
                "accuracy": round(self.named_right / self.named, 4),
            }
        if self.truths:
            by_group = {
                name: round(
                    average_precision(
                        [score for score, _ in self.scored.get(name, [])],
                        [hit for _, hit in self.scored.get(name, [])],
                        count,
                    ),
                    4,
                )
                for name, count in self.truths.items()
            }
            found["detection"] |= {"map50": round(float(np.mean(list(by_group.values()))), 4), "ap50": by_group}
        return found


def count_figures(balls: list[dict[str, Any]], truth: dict[str, Any]) -> dict[str, Any]:
    """Number of balls and counts by colour, right or not, with what differs as ``[found, true]``."""
    figures: dict[str, Any] = {}
    if "count" in truth:
        figures["count"] = {"found": len(balls), "true": truth["count"], "right": len(balls) == truth["count"]}
    if "counts" in truth:
        found = Counter(kind(ball["ball"]) for ball in balls)
        true = Counter({name: number for name, number in truth["counts"].items() if number})
        differ = {name: [found[name], true[name]] for name in sorted(found | true) if found[name] != true[name]}
        figures["colours"] = {"right": not differ, "differ": differ}
    return figures


def _match_balls(balls: list[dict[str, Any]], true: list[dict[str, Any]], diameter_mm: float) -> Detections:
    """Matches within half a ball: in the picture where truth and analysis have pixels, else on the table."""
    in_px = bool(true) and all(ball.get("u") is not None for ball in true) and all("u" in ball for ball in balls)
    keys = ("u", "v") if in_px else ("x", "y")
    found_at = np.array([[ball[key] for key in keys] for ball in balls], dtype=np.float64).reshape(-1, 2)
    true_at = np.array([[ball[key] for key in keys] for ball in true], dtype=np.float64).reshape(-1, 2)
    distance = np.linalg.norm(found_at[:, None] - true_at[None], axis=-1)
    reach = np.array([ball["r"] for ball in balls]) if in_px else np.full(len(balls), diameter_mm / 2)
    pairs = nearest_pairs(np.where(distance <= reach[:, None], distance, np.inf), float(reach.max(initial=0.0)))
    result = Detections(
        true_positives=len(pairs), false_positives=len(balls) - len(pairs), false_negatives=len(true) - len(pairs)
    )
    for i, j in pairs:
        if in_px:
            result.errors_px.append(float(distance[i, j]))
        if all(ball.get(axis) is not None for ball in (balls[i], true[j]) for axis in ("x", "y")):
            result.errors_mm.append(float(np.hypot(balls[i]["x"] - true[j]["x"], balls[i]["y"] - true[j]["y"])))
        if true[j].get("ball") is not None:
            result.named += 1
            result.named_right += same_ball(balls[i]["ball"], true[j]["ball"])
    return result


def _match_groups(balls: list[dict[str, Any]], true: list[dict[str, Any]]) -> Detections:
    """Boxes of the four groups at an IoU of 0.5, each group for itself, the most confident ball first."""
    result = Detections(truths=Counter(ball["group"] for ball in true))
    boxes = np.array([[b["u"] - b["r"], b["v"] - b["r"], b["u"] + b["r"], b["v"] + b["r"]] for b in balls])
    boxes = boxes.reshape(-1, 4)
    true_boxes = np.array([ball["box"] for ball in true], dtype=np.float64).reshape(-1, 4)
    overlap = box_iou(boxes, true_boxes)
    pairs = nearest_pairs(1.0 - overlap, 0.5)
    result.true_positives = len(pairs)
    result.false_positives, result.false_negatives = len(balls) - len(pairs), len(true) - len(pairs)
    for i, j in pairs:
        result.named += 1
        result.named_right += group(balls[i]["ball"]) == true[j]["group"]
    taken: set[int] = set()
    for i in sorted(range(len(balls)), key=lambda i: -float(balls[i].get("confidence", 1.0))):
        name = group(balls[i]["ball"])
        free = [j for j in range(len(true)) if j not in taken and true[j]["group"] == name]
        best = max(free, key=lambda j: overlap[i, j], default=None)
        hit = best is not None and bool(overlap[i, best] >= 0.5)
        if hit and best is not None:
            taken.add(best)
        if name in GROUPS:
            result.scored.setdefault(name, []).append((float(balls[i].get("confidence", 1.0)), hit))
    return result


def detections(analysis: Analysis, truth: dict[str, Any]) -> Detections | None:
    """The first frame's or the still's balls against ``groups`` or ``balls``; None where either is missing."""
    if analysis.balls is None:
        return None
    if "groups" in truth:
        return _match_groups(analysis.balls, truth["groups"])
    if "balls" in truth:
        return _match_balls(analysis.balls, truth["balls"], ball_diameter_mm(analysis, truth))
    return None


def ball_diameter_mm(analysis: Analysis, truth: dict[str, Any]) -> float:
    """Of the calibrated table, or of the truth's; snooker's where neither says."""
    if analysis.calibration is not None:
        return analysis.calibration.table.ball_diameter_mm
    table = truth.get("table")
    if isinstance(table, dict) and "ball_diameter" in table:
        return float(table["ball_diameter"])
    return 52.5


def class_areas(analysis: Analysis, mask_file: Path) -> Array:
    """(6, 2) intersection and union in px of each class of a mask and of the analysis drawn the same way.

    The classes are background, cue, 8, solid, stripe and cloth, numbered from 0; the cloth is what lies between the
    cushions' noses.
    """
    mask = cv2.imread(str(mask_file), cv2.IMREAD_GRAYSCALE)
    if mask is None:
        raise ScoreError(f"{mask_file}: not a readable picture")
    if analysis.calibration is None or analysis.balls is None:
        raise ScoreError(f"{analysis.stem}: a mask needs an analysis with calibration.json and balls.json")
    table, camera = analysis.calibration.table, analysis.calibration.camera
    along = np.linspace(0, 1, 50)[:, None]
    corners = np.array(
        [[0, 0], [table.width_mm, 0], [table.width_mm, table.length_mm], [0, table.length_mm]], dtype=np.float64
    )
    edge = np.vstack([a + along * (b - a) for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)])
    outline = camera.project(np.column_stack([edge, np.full(len(edge), 0.0)]))
    drawn = np.zeros_like(mask)
    cv2.fillPoly(drawn, [np.round(outline * 16).astype(np.int32)], MASK_CLASSES.index("cloth"), shift=4)
    for ball in analysis.balls:
        name = group(ball["ball"])
        if name in MASK_CLASSES:
            centre = (round(ball["u"] * 16), round(ball["v"] * 16))
            cv2.circle(drawn, centre, round(ball["r"] * 16), MASK_CLASSES.index(name), -1, shift=4)
    classes = range(len(MASK_CLASSES))
    return np.array(
        [[np.sum((mask == c) & (drawn == c)), np.sum((mask == c) | (drawn == c))] for c in classes], dtype=np.float64
    )


def mask_figures(areas: Array) -> dict[str, Any]:
    """Mean intersection over union over the classes that occur, and each one's own."""
    each = {name: round(float(i / u), 4) for name, (i, u) in zip(MASK_CLASSES, areas, strict=True) if u}
    return {"miou": round(float(np.mean(list(each.values()))), 4) if each else None, "iou": each}
