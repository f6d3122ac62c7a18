"""The cloth's colour over the table, fitted anew to each picture, and how far each pixel is from it."""

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.light import light_wanted
from vision.geometry import Box, Mask, Plane, TableView, enlarged

FIT_STEP_PX = 4
FIT_ROUNDS = 6
ORDER = 4
CHROMA_GAIN = 1.5
SHADOW_SHADE = 0.62


@dataclass(frozen=True, slots=True, kw_only=True)
class ClothModel:
    """luma, cr, cb: (h, w) float32, what the cloth alone would show (chroma about 0). Sigmas: its own scatter."""

    luma: Plane
    cr: Plane
    cb: Plane
    luma_sigma: float
    chroma_sigma: float

    def part(self, box: Box) -> "ClothModel":
        """The cloth in a box (u0, v0, u1, v1)."""
        cut = (slice(box[1], box[3]), slice(box[0], box[2]))
        return replace(self, luma=self.luma[cut], cr=self.cr[cut], cb=self.cb[cut])


def split(bgr: NDArray[Any]) -> tuple[Plane, Plane, Plane]:
    """Luma 0 to 255 and the two colour differences about 0, as float32 planes."""
    ycrcb = cv2.cvtColor(bgr, cv2.COLOR_BGR2YCrCb).astype(np.float32)
    return ycrcb[..., 0], ycrcb[..., 1] - 128, ycrcb[..., 2] - 128


def _basis(x: NDArray[Any], y: NDArray[Any]) -> NDArray[np.float64]:
    """(k, n) the terms of a polynomial of `ORDER` at n places."""
    powers = [[np.ones(len(x)), values.astype(np.float64)] for values in (x, y)]
    for each in powers:
        for _ in range(ORDER - 1):
            each.append(each[-1] * each[1])
    return np.stack([powers[0][i] * powers[1][j] for i in range(ORDER + 1) for j in range(ORDER + 1 - i)])


def _main_colour(cr: NDArray[Any], cb: NDArray[Any], luma: NDArray[Any]) -> NDArray[np.bool_]:
    """Samples near the most frequent chroma of the bed: more than half of it is cloth unless something covers it."""
    row, column = (np.clip((values + 128) / 4, 0, 63).astype(np.intp) for values in (cr, cb))
    histogram = np.bincount(64 * row + column, minlength=64 * 64).reshape(64, 64).astype(np.float64)
    smooth = cv2.GaussianBlur(histogram, (0, 0), 1.0)
    i, j = np.unravel_index(int(smooth.argmax()), smooth.shape)
    near = (cr - (4 * i - 126)) ** 2 + (cb - (4 * j - 126)) ** 2 < 14**2
    level = np.median(luma[near])
    return np.asarray(near & (luma > 0.35 * level) & (luma < 2.0 * level + 10))


def fit_cloth(planes: tuple[Plane, Plane, Plane], view: TableView) -> ClothModel:
    """Polynomials over the table for luma and chroma, fitted to the bed by reweighting (Tukey's biweight)."""
    width, length = view.calibration.table.width_mm, view.calibration.table.length_mm
    pick = (slice(FIT_STEP_PX // 2, None, FIT_STEP_PX),) * 2
    bed = view.bed[pick]
    x = view.x_mm[pick][bed] / width * 2 - 1
    y = view.y_mm[pick][bed] / length * 2 - 1
    samples = np.stack([cv2.blur(plane, (3, 3))[pick][bed] for plane in planes]).astype(np.float64)
    basis = _basis(x, y)
    weight = _main_colour(samples[1], samples[2], samples[0]).astype(np.float64)
    ridge = 1e-4 * basis.shape[1] * np.eye(len(basis))
    sigma: NDArray[Any] = np.ones(3)
    coefficients: NDArray[Any] = np.zeros((len(basis), 3))
    for _ in range(FIT_ROUNDS):
        weighted = basis * weight
        coefficients = np.linalg.solve(weighted @ basis.T + ridge, weighted @ samples.T)
        residual = samples - coefficients.T @ basis
        trusted = np.abs(residual[:, weight > 0.2])
        sigma = np.maximum(1.4826 * np.median(trusted, axis=1, overwrite_input=True), (1.0, 0.6, 0.6))
        residual /= (sigma * (4.5, 5.0, 5.0))[:, None]
        weight = np.maximum(1 - (residual**2).sum(axis=0), 0) ** 2
    rows, columns = view.shape
    coarse = (slice(0, None, 8),) * 2
    small = _basis(view.x_mm[coarse].ravel() / width * 2 - 1, view.y_mm[coarse].ravel() / length * 2 - 1)
    grid = np.clip(small, -1.5, 1.5).T @ coefficients
    shape = view.x_mm[coarse].shape
    luma, cr, cb = (enlarged(grid[:, k].reshape(shape).astype(np.float32), 8, (rows, columns)) for k in range(3))
    return ClothModel(
        luma=np.asarray(np.maximum(luma, 4.0), dtype=np.float32),
        cr=cr,
        cb=cb,
        luma_sigma=float(sigma[0]),
        chroma_sigma=float(np.hypot(sigma[1], sigma[2])),
    )


def gain_for(cloth: ClothModel, view: TableView) -> float:
    """How many times as much light the picture needs for its cloth to be as bright as usual, at least 1."""
    some = (slice(FIT_STEP_PX // 2, None, FIT_STEP_PX),) * 2
    return light_wanted(float(np.median(cloth.luma[some][view.bed[some]])))


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """Pixels beside the cloth's (h, w). relative: their luma over its luma. shade: the same, 0 to 1.3.

    off: squared distance of their chroma from the cloth's in this shade.
    """

    luma: Plane
    cloth: ClothModel
    relative: Plane
    shade: Plane
    off: Plane

    def part(self, box: Box) -> "Compared":
        """The pixels in a box (u0, v0, u1, v1)."""
        cut = (slice(box[1], box[3]), slice(box[0], box[2]))
        return Compared(
            luma=self.luma[cut],
            cloth=self.cloth.part(box),
            relative=self.relative[cut],
            shade=self.shade[cut],
            off=self.off[cut],
        )

    def distance(self) -> Plane:
        """(h, w) in levels of luma: how far each pixel is from cloth, in light or in a ball's soft shadow."""
        total = self.distance2()
        return np.asarray(np.sqrt(total, out=total), dtype=np.float32)

    def distance2(self) -> Plane:
        """(h, w) the square of `distance`.

        Shade scales luma and chroma of the cloth alike; so chroma is compared with the cloth's scaled to the pixel's
        luma. Luma alone counts where it is brighter than cloth can be, or darker than a shadow makes it.
        """
        total = self.off * np.float32(CHROMA_GAIN**2)
        work = self.luma - self.cloth.luma
        work -= np.float32(8.0)
        np.maximum(work, 0, out=work)
        work *= work
        total += work
        np.subtract(np.float32(SHADOW_SHADE), self.relative, out=work)
        np.maximum(work, 0, out=work)
        work *= self.cloth.luma
        work *= work
        total += work
        return total

    def shaded(self, darkest: float, reach: float) -> Mask:
        """(h, w) pixels that have the cloth's colour, in light or in shade down to ``darkest`` times the cloth's luma.

        reach: how far chroma may be off, as a share of the cloth's own.
        """
        limit = self.cloth.cr * self.cloth.cr
        limit += self.cloth.cb * self.cloth.cb
        np.sqrt(limit, out=limit)
        limit *= self.shade
        limit *= np.float32(reach)
        limit += np.float32(4.0 * self.cloth.chroma_sigma)
        limit *= limit
        return np.asarray((self.off < limit) & (self.relative >= darkest) & (self.relative < 1.15))


def compare(planes: tuple[Plane, Plane, Plane], cloth: ClothModel) -> Compared:
    """Luma and the two colour differences beside the cloth's."""
    luma, cr, cb = planes
    relative = luma / cloth.luma
    shade = np.minimum(np.maximum(relative, 0), np.float32(1.3))
    off = shade * cloth.cr
    np.subtract(cr, off, out=off)
    off *= off
    work = shade * cloth.cb
    np.subtract(cb, work, out=work)
    work *= work
    off += work
    return Compared(luma=luma, cloth=cloth, relative=relative, shade=shade, off=off)


def foreground(away: Plane, cloth: ClothModel) -> Plane:
    """(h, w) 0 to 1: how surely a pixel at this `distance` is something else than cloth."""
    scale = 3.0 * CHROMA_GAIN * cloth.chroma_sigma + 7.0
    return np.asarray(1.0 - np.exp(-0.7 * (away / scale) ** 2), dtype=np.float32)


def shrunk(cloth: ClothModel, full: TableView, small: TableView) -> ClothModel:
    """The cloth of the full look as the small view sees it, carried on beyond the full view's edges."""
    corners = full.to_working(small.to_picture(np.array([[0.0, 0.0], [1.0, 1.0]])))
    step = corners[1] - corners[0]
    matrix = np.array([[step[0], 0.0, corners[0, 0]], [0.0, step[1], corners[0, 1]]])

    def moved(plane: NDArray[np.float32]) -> NDArray[np.float32]:
        how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        shrunk = cv2.warpAffine(plane, matrix, small.shape[::-1], flags=how, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(shrunk, np.float32)

    return replace(cloth, luma=moved(cloth.luma), cr=moved(cloth.cr), cb=moved(cloth.cb))
