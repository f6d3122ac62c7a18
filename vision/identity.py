"""Which ball is which, from its looks, under the counts of the set."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.tables import TableSpec
from vision.assignment import linear_sum_assignment
from vision.balls import BallSet, group_of
from vision.geometry import Array
from vision.looks import Looks, White
from vision.numbered import numbered_logp

FREEDOM = 6.0
OUTSIDE_LOGP = -9.0
RULED_OUT = 20.0
SPOT_BONUS = 1.2
SNOOKER_NOBODY_LOGP = -8.0
POOL_NOBODY_LOGP = -16.0
SHIFT_SIGMA = np.array([0.12, 0.05, 0.04])
SHIFT_ROUNDS = 3
SINKHORN_ROUNDS = 200
# measured: what is right about pool balls is so more often than their likelihoods say
POOL_SHARPNESS = 1.5
LEAST_SURE = 0.5
TONES, TONE_SIGMA, LEAST_TONED = (0.7, 0.84, 1.0, 1.19, 1.41), 0.1, 4
"""The tones that are tried, how far as a logarithm they usually are from 1, and how many balls tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ColourClass:
    """Mean and scatter of one kind's three features; see `Looks`."""

    mean: tuple[float, float, float]
    sigma: tuple[float, float, float]


# Fitted to about 900 balls of a dozen tournaments and one club table; the sigmas are those between pictures, widened
# for light and cloths not seen yet.
SNOOKER_CLASSES = {
    "cue": ColourClass(mean=(0.72, 0.00, -0.10), sigma=(0.28, 0.05, 0.06)),
    "red": ColourClass(mean=(-0.46, 0.83, -0.27), sigma=(0.17, 0.24, 0.07)),
    "yellow": ColourClass(mean=(0.75, 0.10, -0.40), sigma=(0.30, 0.08, 0.07)),
    "green": ColourClass(mean=(-0.10, -0.44, 0.00), sigma=(0.16, 0.07, 0.18)),
    "brown": ColourClass(mean=(0.05, 0.25, -0.29), sigma=(0.20, 0.22, 0.05)),
    "blue": ColourClass(mean=(-0.19, -0.47, 0.40), sigma=(0.16, 0.07, 0.08)),
    "pink": ColourClass(mean=(0.37, 0.27, -0.08), sigma=(0.15, 0.11, 0.05)),
    "black": ColourClass(mean=(-1.20, -0.15, -0.13), sigma=(0.40, 0.18, 0.10)),
}
# balls of one kind in one picture are far more alike than the kind is over all pictures
ALIKE_SIGMA = (0.12, 0.10, 0.04)
LEAST_ALIKE = 3
# of the kind's own scatter over pictures: as far as what one picture shows can be trusted to be this kind
OWN_REACH = 2.0


def class_logp(features: Array, classes: Sequence[ColourClass], shift: Array) -> Array:
    """(n, k) log likelihood (Student's t with `FREEDOM` degrees) of each class; far outside of one it is ruled out."""
    mean, sigma = np.array([colour.mean for colour in classes]), np.array([colour.sigma for colour in classes])
    squared = ((((features - shift)[:, None] - mean) / sigma) ** 2).sum(axis=2)
    fit = -0.5 * (FREEDOM + 3) * np.log1p(squared / FREEDOM)
    fit[fit <= OUTSIDE_LOGP] -= RULED_OUT
    fit -= np.log(sigma).sum(axis=1)
    logp: Array = fit
    return logp


def assign(logp: Array, ball_set: BallSet, nobody_logp: float) -> NDArray[np.intp]:
    """(n,) index of each ball's kind, the best joint choice under the set's counts.

    -1 where every kind that is left is less likely than ``nobody_logp``.
    """
    columns = np.concatenate([np.full(count, k) for k, count in enumerate(ball_set.counts.values())])
    gain = logp[:, columns]
    n = len(gain)
    nobody = np.full((n, n), nobody_logp)
    rows, picked = linear_sum_assignment(-np.hstack([gain, nobody]))
    result = np.full(n, -1, dtype=np.intp)
    real = picked < len(columns)
    result[rows[real]] = columns[picked[real]]
    return result


def marginals(logp: Array, ball_set: BallSet) -> Array:
    """(n, k) probability of each kind for each of n balls, no kind given to more balls than the set holds.

    logp: (n, k) log likelihoods, each row up to a constant. Rows and the columns in excess are scaled in turn
    (Sinkhorn), which comes close to the marginals of the joint choice.
    """
    counts = np.array(list(ball_set.counts.values()), dtype=np.float64)
    share: Array = np.exp(logp - logp.max(axis=1, keepdims=True)) * counts
    for _ in range(SINKHORN_ROUNDS):
        share /= np.maximum(share.sum(axis=1, keepdims=True), 1e-300)
        share /= np.maximum(share.sum(axis=0) / counts, 1.0)
    total: Array = share / np.maximum(share.sum(axis=1, keepdims=True), 1e-300)
    return total


def spot_logp(xy_mm: Array, table: TableSpec, kinds: tuple[str, ...]) -> Array:
    """(n, k) weak evidence for a colour that lies on its own spot."""
    bonus = np.zeros((len(xy_mm), len(kinds)))
    for k, kind in enumerate(kinds):
        if kind in table.spots:
            gap = np.linalg.norm(xy_mm - np.array(table.spots[kind]), axis=1)
            bonus[:, k] = SPOT_BONUS * np.exp(-0.5 * (gap / (0.5 * table.ball_radius_mm)) ** 2)
    return bonus


def _common_shift(features: Array, chosen: NDArray[np.intp], classes: Sequence[ColourClass], shift: Array) -> Array:
    """(3,) the shift of colour that the picture's balls have in common, one step from ``shift`` under its prior."""
    precision = 1 / SHIFT_SIGMA**2
    weighted = np.zeros(3)
    for row, k in enumerate(chosen):
        if k < 0:
            continue
        sigma = np.array(classes[k].sigma)
        residual = features[row] - np.array(classes[k].mean)
        trust = 1 / (1 + (((residual - shift) / sigma) ** 2).sum() / FREEDOM)
        # many balls of one kind say no more of the light than a few
        trust /= max(1.0, np.count_nonzero(chosen == k) / 2)
        weighted += trust * residual / sigma**2
        precision = precision + trust / sigma**2
    step: Array = weighted / precision
    return step


def _settle(features: Array, chosen: NDArray[np.intp], k: int, colour: ColourClass) -> ColourClass:
    """The class of a kind of many balls as this picture shows it: about the median of those taken for it."""
    mine = features[chosen == k]
    if len(mine) < LEAST_ALIKE:
        return colour
    mean, reach = np.array(colour.mean), OWN_REACH * np.array(colour.sigma)
    middle = np.clip(np.median(mine, axis=0), mean - reach, mean + reach)
    return ColourClass(mean=(float(middle[0]), float(middle[1]), float(middle[2])), sigma=ALIKE_SIGMA)


def _shifted(colour: ColourClass, shift: Array) -> ColourClass:
    mean = np.array(colour.mean) + shift
    return ColourClass(mean=(float(mean[0]), float(mean[1]), float(mean[2])), sigma=colour.sigma)


def _snooker_classes(looks: Looks, spots: Array, ball_set: BallSet) -> list[ColourClass]:
    """The colours as this picture shows them: moved by the shift common to all, the reds as they are here."""
    classes = [SNOOKER_CLASSES[kind] for kind in ball_set.kinds]
    shift = np.zeros(3)
    chosen = np.full(len(looks), -1, dtype=np.intp)
    for _ in range(SHIFT_ROUNDS):
        chosen = assign(class_logp(looks.body, classes, shift) + spots, ball_set, SNOOKER_NOBODY_LOGP)
        shift = _common_shift(looks.body, chosen, classes, shift)
    red = ball_set.kinds.index("red")
    own = [_shifted(colour, shift) for colour in classes]
    for _ in range(SHIFT_ROUNDS):
        own[red] = _settle(looks.body, chosen, red, _shifted(classes[red], shift))
        chosen = assign(class_logp(looks.body, own, np.zeros(3)) + spots, ball_set, SNOOKER_NOBODY_LOGP)
    return own


def _share_logp(share: Array, mean: float, sigma: float) -> Array:
    value: Array = -0.5 * (FREEDOM + 1) * np.log1p(((share - mean) / sigma) ** 2 / FREEDOM) - np.log(sigma)
    return value


def pyramid_logp(looks: Looks) -> Array:
    """(n, 2) log likelihood of the cue ball, which is the coloured one, and of the white balls."""
    return np.column_stack([_share_logp(looks.white, 0.1, 0.2), _share_logp(looks.white, 0.95, 0.12)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Palette:
    """How the kinds of a set look in one picture or one video. classes: of snooker's kinds, empty for other games.

    tone: the camera's, of which numbered balls' paints show the most; see `vision.numbered.toned`.
    """

    ball_set: BallSet
    classes: tuple[ColourClass, ...]
    of_white: White
    tone: float = 1.0

    def logp(self, looks: Looks) -> Array:
        """(n, k) log likelihood of each kind, each row up to a constant."""
        if self.classes:
            return class_logp(looks.body, self.classes, np.zeros(3))
        return pyramid_logp(looks) if "ball" in self.ball_set.counts else numbered_logp(looks, self.ball_set, self.tone)

    def best_logp(self) -> Array:
        """(k,) what `logp` gives a ball that is just as its kind is on average, of snooker's kinds."""
        return np.array([-np.log(colour.sigma).sum() for colour in self.classes])

    def assign(self, logp: Array) -> NDArray[np.intp]:
        """(n,) the joint choice of kinds under the set's counts; -1 where nothing of the set fits."""
        return assign(logp, self.ball_set, SNOOKER_NOBODY_LOGP if self.classes else POOL_NOBODY_LOGP)


def learn_palette(looks: Looks, xy_mm: Array, table: TableSpec, ball_set: BallSet) -> Palette:
    """The palette of a picture from its n balls."""
    classes: list[ColourClass] = []
    if "red" in ball_set.counts:
        classes = _snooker_classes(looks, spot_logp(xy_mm, table, ball_set.kinds), ball_set)
    tone = _tone(looks, ball_set) if "8" in ball_set.counts else 1.0
    return Palette(ball_set=ball_set, classes=tuple(classes), of_white=looks.of_white, tone=tone)


def _tone(looks: Looks, ball_set: BallSet) -> float:
    """The camera's tone that makes most sense of a picture's numbered balls together, under its prior."""
    if len(looks) < LEAST_TONED:
        return 1.0
    worth = []
    for tone in TONES:
        logp = numbered_logp(looks, ball_set, tone)
        chosen = assign(logp, ball_set, POOL_NOBODY_LOGP)
        best = np.where(chosen >= 0, logp[np.arange(len(chosen)), chosen], POOL_NOBODY_LOGP)
        worth.append(float(best.sum()) - 0.5 * (np.log(tone) / TONE_SIGMA) ** 2)
    return TONES[int(np.argmax(worth))]


@dataclass(frozen=True, slots=True, kw_only=True)
class Naming:
    """What n balls may honestly be called. kinds: of the set, or ``solid``, ``stripe``, ``ball`` where no more shows.

    probability: (n,) that this kind is right.
    """

    kinds: tuple[str, ...]
    probability: Array


def honest_kinds(chosen: NDArray[np.intp], logp: Array, ball_set: BallSet) -> Naming:
    """The most that n finds let one say of themselves: a ball's number, its group, or that it is a ball.

    chosen: (n,) index of the kind by the joint choice, which is kept where it is more likely right than wrong.
    logp: (n, k). Where numbered balls are told apart by colours alone, several numbers can look alike.
    """
    numbered = "8" in ball_set.counts
    share = marginals(POOL_SHARPNESS * logp if numbered else logp, ball_set)
    groups = np.array([group_of(kind) for kind in ball_set.kinds])
    kinds, probability = [], np.zeros(len(chosen))
    for row, k in enumerate(chosen):
        name, sure = ball_set.kinds[k], float(share[row, k])
        if numbered and sure < LEAST_SURE:
            each = {str(group): float(share[row, groups == group].sum()) for group in dict.fromkeys(groups)}
            name = max(("solid", "stripe"), key=lambda group: each.get(group, 0.0))
            sure = each.get(name, 0.0)
            if sure < LEAST_SURE:
                name, sure = "ball", 1.0
        kinds.append(name)
        probability[row] = sure
    return Naming(kinds=tuple(kinds), probability=probability)


def names_of(kinds: Sequence[str], ball_set: BallSet) -> list[str]:
    """A name for each ball: kinds of which there may be several are numbered in order of the rows."""
    used: dict[str, int] = {}
    result = []
    for kind in kinds:
        number = used.get(kind, 0)
        used[kind] = number + 1
        single = ball_set.counts.get(kind) == 1
        result.append(kind if single else f"{kind}-{number + 1}")
    return result
