"""How true measured distances are to the uncertainty that is told with them.

    python -m tests.benchmarks.distances ANALYSES TRUTHS

ANALYSES is a folder of analyzed clips, TRUTHS that of their truths (NAME.truth.json). Between all pairs of balls that
lie still near the start and the end of each clip the distance is measured as in a review; printed are the errors in mm
and which share lies within one and two of the standard deviations told. Of a normal error 68 and 95 % would.
"""

import argparse
import itertools
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from referee.app.review.analysis import AnalysisReview
from referee.app.review.measure import Place, centre_sigma, distance
from referee.app.review.words import same_in_all

FROM_THE_ENDS = 20
SAME_BALL_MM = 30.0


def pairs(review: AnalysisReview, truth: dict[str, Any]) -> Iterator[tuple[float, float]]:
    """Error and standard deviation in mm of each distance. A ball is the true one that lies nearest."""
    times = np.array(truth["frames"]["t"])
    calibration = review.calibration
    for at in (FROM_THE_ENDS, len(times) - FROM_THE_ENDS):
        rows = [row for row in review.rows_at(float(times[at])) if row["state"] == "at_rest"]
        found = []
        for columns in truth["frames"]["balls"].values():
            true = columns["x"][at], columns["y"][at]
            if true[0] is None or not rows:
                continue
            row = min(rows, key=lambda each: math.dist((each["x"], each["y"]), true))
            xy = row["x"], row["y"]
            if math.dist(xy, true) < SAME_BALL_MM:
                sigma = centre_sigma(calibration, xy, row["sigma"])
                place = Place(
                    name=same_in_all(row["ball"]), x_mm=xy[0], y_mm=xy[1], z_mm=0.0, sigma_mm=sigma, seen=True
                )
                found.append((place, true))
        for (a, true_a), (b, true_b) in itertools.combinations(found, 2):
            measured = distance(calibration, a, b)
            yield measured.mm - math.dist(true_a, true_b), measured.sigma_mm


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("analyses", type=Path)
    parser.add_argument("truths", type=Path)
    args = parser.parse_args()
    shares = []
    print("| clip | pairs | error, rms mm | largest mm | told, median mm | within 1 σ | within 2 σ |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for folder in sorted(path for path in args.analyses.iterdir() if (path / "shots.jsonl").is_file()):
        truth = json.loads((args.truths / f"{folder.name}.truth.json").read_text(encoding="utf-8"))
        errors, sigmas = np.array(list(pairs(AnalysisReview(folder.name, folder), truth))).T
        off = np.abs(errors) / sigmas
        shares.append((float((off < 1).mean()), float((off < 2).mean())))
        rms, largest = float(np.sqrt((errors**2).mean())), float(np.abs(errors).max())
        told, (one, two) = float(np.median(sigmas)), shares[-1]
        print(f"| {folder.name} | {len(errors)} | {rms:.1f} | {largest:.1f} | {told:.1f} | {one:.0%} | {two:.0%} |")
    one, two = np.mean(shares, axis=0)
    print(f"| mean over the clips | | | | | {one:.0%} | {two:.0%} |")


if __name__ == "__main__":
    main()
