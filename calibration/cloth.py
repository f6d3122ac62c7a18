"""Where the cloth is in a picture: a mask of the bed and its cushions, by the colour that the picture itself shows.

No hue is assumed. Peaks of the picture's chroma histogram are candidates; each grows into a region whose colour
may drift smoothly across the table (lamps, vignetting), and the candidate whose region looks most like a table,
one piece, convex and nearly filled, is the cloth.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Mask = NDArray[np.uint8]
Pixels = NDArray[np.uint8]

WORK_WIDTH = 640
"""The mask is made at this width, px: a pocket is still more than 5 px wide and a ball 4."""
_COARSE_WIDTH = 240
_MIN_SHARE = 0.06
_MAX_SHARE = 0.98
_CANDIDATES = 6
_SAMPLES = 1000
"""About so many pixels of a region are enough to fit its colour to."""
_SHADE = 20.0
_GREY = 8.0
_LIGHT = 0.35
"""Weight of lightness against chroma within a region."""
USUAL, SHARES = (1.0, 1.0), ((1.0, 1.0), (0.45, 1.0), (0.45, 0.45))
"""Shares of the usual limits, of chroma and of lightness, within which colours agree: the usual ones, and all that are
worth trying. A grey cloth runs out over a grey floor unless they are told apart closely; a cloth in uneven light then
comes in pieces.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClothRegion:
    """mask: (h, w) uint8 0 or 255, the cloth with balls and players cut out. contour: (n, 2) its outer boundary.

    Both at ``scale`` times the picture's size; ``solidity`` is the share of its convex hull that it fills and
    ``share`` the share of the picture. ``lab`` is the median colour (L, a, b) of OpenCV's 8 bit Lab.
    """

    mask: Mask
    contour: Array
    scale: float
    solidity: float
    share: float
    lab: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class _Small:
    """A picture in OpenCV's 8 bit Lab (h, w, 3), at ``scale`` times its size.

    channels: (h, w) of L, a and b each. chroma: (h, w) 256 a + b. present: (n,) the values of it that occur.
    """

    lab: Pixels
    channels: tuple[NDArray[np.float32], ...]
    chroma: NDArray[np.intp]
    present: NDArray[np.intp]
    scale: float

    def where(self, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """(h, w) the pixels whose chroma is one of those chosen (n,) among the ``present``."""
        table = np.zeros(256 * 256, dtype=np.bool_)
        table[self.present[chosen]] = True
        return table[self.chroma]


def _peaks(lab: Pixels) -> list[Array]:
    """Chroma peaks (a, b) by weight, at least 12 units apart."""
    histogram = cv2.calcHist([lab], [1, 2], None, [128, 128], [0, 256, 0, 256])
    smooth = cv2.GaussianBlur(histogram, (0, 0), 1.5)
    peaks: list[Array] = []
    for _ in range(_CANDIDATES):
        row, column = np.unravel_index(int(np.argmax(smooth)), smooth.shape)
        if smooth[row, column] <= 0:
            break
        peaks.append(np.array([2.0 * row + 1, 2.0 * column + 1]))
        cv2.circle(smooth, (int(column), int(row)), 6, 0, -1)
    return peaks


def _largest(mask: Mask) -> Mask:
    """The largest piece of a mask."""
    contours, kin = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return np.zeros_like(mask)
    outer = [contour for contour, (_, _, _, parent) in zip(contours, kin[0], strict=True) if parent < 0]
    # the pixels on and within an outline, by Pick's theorem; holes make them fewer
    most = [cv2.contourArea(contour) + len(contour) / 2 + 1 for contour in outer]
    best, largest = 0, np.zeros_like(mask)
    for k in np.argsort(most)[::-1]:
        if most[k] <= best:
            break
        filled = (mask > 0).view(np.uint8)
        count, *_ = cv2.floodFill(filled, None, outer[k][0, 0].tolist(), 2, flags=8)
        if count > best:
            best, largest = count, np.asarray((filled == 2) * np.uint8(255), dtype=np.uint8)
    return largest


def _median(counts: NDArray[Any]) -> float:
    """The median of whole numbers from 0 up, of each of which there are so many."""
    total = int(counts.sum())
    ranks = [(total - 1) // 2, total // 2]
    return float(np.searchsorted(np.cumsum(counts), ranks, side="right").mean())


def _drift_terms(x: Array, y: Array) -> Array:
    """(n, 6) terms of a quadratic in the picture's coordinates, each within -1 to 1."""
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1)


def _drift(coefficients: Array, x: Array, y: Array) -> NDArray[np.float32]:
    """(h, w) a quadratic of `_drift_terms` in every pixel, x (w,) and y (h,)."""
    one, across, down, across2, both, down2 = coefficients
    rows = np.column_stack([down * y + down2 * y * y + one, across + both * y, np.full(len(y), across2)])
    columns = np.stack([np.ones_like(x), x, x * x])
    return rows.astype(np.float32) @ columns.astype(np.float32)


def _fitted(terms: Array, values: Array) -> Array:
    """(k, m) the coefficients of terms (n, k) that fit values (n, m) best."""
    return np.asarray(np.linalg.lstsq(terms.T @ terms, terms.T @ values, rcond=1e-10)[0], dtype=np.float64)


def _grown(picture: _Small, seed: Mask, rounds: int, shares: tuple[float, float]) -> Mask:
    """The region of pixels that agree with a smooth colour field fitted to the seed region.

    shares: of the usual limits, of chroma and of lightness, within which they must agree.
    """
    mask = seed
    rows, columns = mask.shape
    y, x = (2.0 * np.arange(size) / size - 1 for size in (rows, columns))
    for _ in range(rounds):
        count = cv2.countNonZero(mask)
        if count < 200:
            return mask
        apart = int(np.ceil(np.sqrt(count / _SAMPLES)))
        v, u = (apart * places for places in np.nonzero(mask[::apart, ::apart]))
        inside, colour = _drift_terms(x[u], y[v]), picture.lab[v, u].astype(np.float64)
        coefficients = _fitted(inside, colour)
        error = np.abs(inside @ coefficients - colour)
        keep = np.all(error < 3.0 * np.maximum(np.median(error, axis=0), 1.0), axis=1)
        inside, colour = inside[keep], colour[keep]
        coefficients = _fitted(inside, colour)
        light, a, b = (_drift(coefficients[:, k], x, y) for k in range(3))
        for field, channel in zip((light, a, b), picture.channels, strict=True):
            np.subtract(channel, field, out=field)
        spread = np.median(np.abs(inside @ coefficients - colour), axis=0)
        limit = 6.0 + 5.0 * float(spread[1:].mean())
        near, alight = shares[0] * limit, 3.0 * shares[1] * limit / _LIGHT
        a *= a
        b *= b
        a += b
        agreed = (a < near**2) & (np.abs(light, out=light) < alight)
        opened = cv2.morphologyEx(agreed.view(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        mask = _largest(np.asarray(opened, dtype=np.uint8))
    return mask


def _with_cushions(picture: _Small, bed: Mask) -> Mask:
    """The bed's region grown over neighbours of the same hue at any lightness: the cushions in their own light."""
    inside = bed > 0
    counts = np.bincount(picture.chroma[inside], minlength=256 * 256)
    mean = np.array([_median(counts.reshape(256, 256).sum(axis=axis)) for axis in (1, 0)]) - 128
    chroma = float(np.hypot(*mean))
    if chroma < _GREY:
        return bed
    a, b = (values - 128.0 for values in np.divmod(picture.present, 256))
    along = (a * mean[0] + b * mean[1]) / chroma
    across = (b * mean[0] - a * mean[1]) / chroma
    tangent = np.abs(across) / np.maximum(along, 1e-3)
    order = np.argsort(tangent)
    below = np.cumsum(counts[picture.present[order]])
    rank = int(np.searchsorted(below, 0.9 * (int(below[-1]) - 1), side="right"))
    spread = float(np.arctan(tangent[order[rank]]))
    limit = min(max(0.4, 1.6 * spread), 0.6)
    alike = picture.where((along > 0.3 * chroma) & (tangent < np.tan(limit)))
    reach = max(3, round(0.05 * float(np.sqrt(np.count_nonzero(inside)))))
    hull = np.zeros_like(bed)
    contours, _ = cv2.findContours(bed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    cv2.fillConvexPoly(hull, cv2.convexHull(np.vstack(contours)), 255)
    near = cv2.dilate(hull, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)) > 0
    grown = ((alike & near) | inside).view(np.uint8)
    return _largest(np.asarray(cv2.morphologyEx(grown, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), dtype=np.uint8))


def _measured(mask: Mask) -> tuple[Array, float, float]:
    """Outer contour (n, 2), solidity (with holes counted as missing) and share of the picture."""
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return np.empty((0, 2)), 0.0, 0.0
    contour = max(contours, key=cv2.contourArea)
    hull = float(cv2.contourArea(cv2.convexHull(contour)))
    area = float(np.count_nonzero(mask))
    return contour.reshape(-1, 2).astype(np.float64), area / max(hull, 1.0), area / mask.size


def _covered(seed: Mask, peak: Array, region: ClothRegion) -> bool:
    """Whether a seed is only another shade of a region that was found already."""
    near = float(np.hypot(*(region.lab[1:] - peak))) < _SHADE
    return near and bool(np.count_nonzero(seed & region.mask) > 0.6 * np.count_nonzero(seed))


def find_cloth(picture: Pixels, shares: tuple[float, float] = USUAL) -> Iterator[ClothRegion]:
    """Candidate cloth regions of a BGR picture (h, w, 3), the likeliest first; none where nothing is like a cloth.

    They are looked for and ranked in a coarse picture, and grown in the fine one as they are asked for. shares: of the
    usual limits, of chroma and of lightness, within which colours count as the cloth's (`SHARES`).
    """
    scale, small = _shrunk(picture, WORK_WIDTH)
    coarser, smaller = _shrunk(small, _COARSE_WIDTH)
    fine, coarse = _small(small, scale), _small(smaller, scale * coarser)
    found: list[tuple[float, ClothRegion]] = []
    for peak in _peaks(coarse.lab):
        seed = _seed(coarse, peak)
        if np.count_nonzero(seed) < 0.3 * _MIN_SHARE * seed.size:
            continue
        if any(_covered(seed, peak, region) for _, region in found):
            continue
        region = _region(coarse, seed, shares)
        if region is None:
            continue
        chroma = float(np.hypot(*(region.lab[1:] - 128)))
        merit = region.solidity**4 * region.share**0.5 * (0.5 + min(chroma, 30.0) / 30.0)
        found.append((merit, region))
    for _, rough in sorted(found, key=lambda entry: -entry[0]):
        wide = cv2.resize(rough.mask, fine.lab.shape[1::-1], interpolation=cv2.INTER_NEAREST)
        grown = _region(fine, np.asarray(wide, dtype=np.uint8), shares, rounds=1)
        if grown is not None:
            yield grown


def _shrunk(picture: Pixels, width: int) -> tuple[float, Pixels]:
    """A picture no wider than so many px, and its scale."""
    scale = min(1.0, width / picture.shape[1])
    if scale == 1:
        return scale, picture
    return scale, np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def _small(small: Pixels, scale: float) -> _Small:
    """A picture that was shrunk to ``scale`` times its size."""
    lab = np.asarray(cv2.cvtColor(cv2.medianBlur(small, 3), cv2.COLOR_BGR2LAB), dtype=np.uint8)
    chroma = lab[..., 1].astype(np.intp) * 256 + lab[..., 2]
    present = np.flatnonzero(np.bincount(chroma.ravel(), minlength=256 * 256))
    channels = tuple(np.asarray(channel, dtype=np.float32) for channel in cv2.split(lab))
    return _Small(lab=lab, channels=channels, chroma=chroma, present=present, scale=scale)


def _seed(picture: _Small, peak: Array) -> Mask:
    """The largest piece of a chroma."""
    a, b = np.divmod(picture.present, 256)
    near = picture.where((a - peak[0]) ** 2 + (b - peak[1]) ** 2 < 9**2).view(np.uint8)
    opened = cv2.morphologyEx(near, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    return _largest(np.asarray(opened, dtype=np.uint8))


def _region(picture: _Small, seed: Mask, shares: tuple[float, float], rounds: int = 2) -> ClothRegion | None:
    """The region grown from a seed in so many rounds, or None where it isn't like a table's cloth."""
    mask = _with_cushions(picture, _grown(picture, seed, rounds, shares))
    contour, solidity, share = _measured(mask)
    for _ in range(rounds):
        wider = _with_cushions(picture, mask)
        measured = _measured(wider)
        if measured[1] < solidity - 0.005 or measured[2] > 0.95 or np.array_equal(wider, mask):
            break
        mask, (contour, solidity, share) = wider, measured
    if not _MIN_SHARE <= share <= _MAX_SHARE or solidity < 0.6:
        return None
    histograms = (cv2.calcHist([picture.lab], [channel], mask, [256], [0, 256]) for channel in range(3))
    colour = np.array([_median(histogram.ravel()) for histogram in histograms])
    return ClothRegion(mask=mask, contour=contour, scale=picture.scale, solidity=solidity, share=share, lab=colour)
