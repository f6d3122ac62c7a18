"""Frame by frame: only what moves is drawn anew over the plate; then the sensor adds its own."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import cv2
import numpy as np

from calibration.camera import Array
from referee.app.simulate.film.balls import Scene, Shade, Sprite, ball_shade, ball_sprite
from referee.app.simulate.film.limbs import Capsule, Cover, cover
from referee.app.simulate.film.look import Floats, to_srgb
from referee.app.simulate.film.plate import Plate
from vision.frames import Pixels


@dataclass(frozen=True, slots=True, kw_only=True)
class BallPose:
    """A ball at a moment: centre (3,) mm and orientation (3, 3)."""

    centre: Array
    turn: Array


Box = tuple[int, int, int, int]
"""Rows and columns of a window: first row, row after the last, first column, column after the last."""
BallView = tuple[Sprite, Shade | None]
Job = tuple[Box, list[BallView]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A picture, and for each ball in it the share of its disc that is in the open, 0 … 1."""

    pixels: Pixels
    seen: dict[str, float]


SHADOW_STEPS = 3
"""A moving ball's shadow, which is soft, is drawn anew for each third step of an exposure."""


class Action(Protocol):
    """What goes on in front of the camera."""

    def balls(self, t: float) -> Mapping[str, BallPose]:
        """The balls in view at time t."""

    def ball(self, name: str, t: float) -> BallPose | None:
        """One of them at time t; None where it isn't in view."""

    def people(self, t: float) -> Sequence[Capsule]:
        """What is in front of the table at time t."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensor:
    """shutter_s: exposure. rows_s: time from the first to the last row's exposure (rolling shutter). noise: deviation
    in grey levels. blur_px: the lens's. drift: how far the exposure wanders, as a share.
    """

    shutter_s: float = 0.010
    rows_s: float = 0.008
    noise: float = 1.6
    blur_px: float = 0.55
    drift: float = 0.01
    gain: float = 1.0


@dataclass
class Studio:
    """Turns moments into pictures."""

    scene: Scene
    plate: Plate
    sensor: Sensor
    seed: int
    _still: dict[str, tuple[Array, BallView | None]] = field(default_factory=dict)
    _tiles: list[Floats] = field(default_factory=list)

    def __post_init__(self) -> None:
        width, height = self.scene.camera.size
        rng = np.random.default_rng(self.seed)
        for _ in range(5):
            raw = rng.standard_normal((height + 64, width + 64, 3)).astype(np.float32)
            luma = rng.standard_normal((height + 64, width + 64, 1)).astype(np.float32)
            tile = cv2.GaussianBlur(0.6 * raw + 0.8 * luma, (0, 0), 0.6) * 1.7
            self._tiles.append(np.asarray(tile * self.sensor.noise, np.float32))
        self._grain = np.asarray(cv2.GaussianBlur(rng.standard_normal((256, 256)), (0, 0), 1.6) * 3.0, np.float32)
        self._empty = to_srgb(self.plate.light * self.sensor.gain)
        self._empty_soft = self._softened(self._empty)
        self._sharp, self._soft = self._empty.copy(), self._empty_soft.copy()

    def shoot(self, action: Action, t: float, index: int) -> Shown:
        """The picture whose exposure is centred on t in its middle row, and how much of each ball is seen in it.

        Only what differs from the empty table is drawn and blurred, in two pictures that are put back afterwards.
        """
        jobs = self._jobs(action, t)
        changed = _merged([box for box, _ in jobs.values()])
        for box in changed:
            self._sharp[_part(box)] = self._window(box, list(jobs.values()))
        front = cover(action.people(t), self.scene.camera, self.scene.look, self._grain)
        if front is not None:
            height, width = front.alpha.shape
            changed.append((front.row, front.row + height, front.column, front.column + width))
            self._in_front(self._sharp, front)
        touched = _merged([self._grown(box) for box in changed])
        for box in touched:
            self._soften(box)
        pixels = self._developed(self._soft, t, index)
        for box in touched:
            self._sharp[_part(box)] = self._empty[_part(box)]
            self._soft[_part(box)] = self._empty_soft[_part(box)]
        return Shown(pixels=pixels, seen={name: _seen(views, front) for name, (_, views) in jobs.items()})

    def _grown(self, box: Box) -> Box:
        """The box with all that its pixels reach when they are blurred."""
        reach = int(np.ceil(5.0 * self.sensor.blur_px)) + 1
        height, width = self._empty.shape[:2]
        return (
            max(0, box[0] - reach),
            min(height, box[1] + reach),
            max(0, box[2] - reach),
            min(width, box[3] + reach),
        )

    def _softened(self, picture: Floats) -> Floats:
        """As the lens blurs it."""
        if self.sensor.blur_px <= 0.2:
            return picture
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), self.sensor.blur_px), np.float32)

    def _soften(self, box: Box) -> None:
        around = self._grown(box)
        blurred = self._softened(self._sharp[_part(around)])
        inner = (box[0] - around[0], box[1] - around[0], box[2] - around[2], box[3] - around[2])
        self._soft[_part(box)] = blurred[_part(inner)]

    def _in_front(self, picture: Floats, front: Cover) -> None:
        height, width = front.alpha.shape
        part = picture[front.row : front.row + height, front.column : front.column + width]
        alpha = front.alpha[..., None]
        part *= (1.0 - 0.55 * front.dark[..., None]) * (1.0 - alpha)
        plain = np.asarray(front.light * self.sensor.gain / np.maximum(alpha, 1e-3), np.float32)
        part += to_srgb(plain) * alpha

    def _jobs(self, action: Action, t: float) -> dict[str, Job]:
        """For each ball its window and its looks over the exposure."""
        now = action.balls(t)
        height = self.scene.camera.size[1]
        shutter = self.sensor.shutter_s
        jobs = {}
        for name, pose in now.items():
            row = float(self.scene.camera.project(pose.centre[None])[0, 1])
            late = self.sensor.rows_s * (row / height - 0.5)
            ends = [action.ball(name, t + late + shift) for shift in (-shutter / 2, shutter / 2)]
            looks = self._looks(action, name, t + late, ends)
            if looks:
                jobs[name] = (_box(looks), looks)
        return jobs

    def _looks(self, action: Action, name: str, t: float, ends: list[BallPose | None]) -> list[BallView]:
        pose = action.ball(name, t)
        if pose is None:
            return []
        moved = 0.0
        if ends[0] is not None and ends[1] is not None:
            uv = self.scene.camera.project(np.array([ends[0].centre, ends[1].centre]))
            moved = float(np.linalg.norm(uv[1] - uv[0]))
        steps = int(np.clip(np.ceil(moved / 1.5), 1, 16))
        if steps == 1:
            view = self._cached(name, pose)
            return [view] if view is not None else []
        shifts = ((np.arange(steps) + 0.5) / steps - 0.5) * self.sensor.shutter_s
        views: list[BallView] = []
        shade: Shade | None = None
        for k, shift in enumerate(shifts):
            moving = action.ball(name, t + float(shift))
            if moving is None:
                continue
            sprite = ball_sprite(self.scene, name, moving.centre, moving.turn, blurred=True)
            if k % SHADOW_STEPS == 0:
                shade = ball_shade(self.scene, moving.centre)
            if sprite is not None:
                views.append((sprite, shade))
        return views

    def _view(self, name: str, pose: BallPose) -> BallView | None:
        sprite = ball_sprite(self.scene, name, pose.centre, pose.turn)
        return (sprite, ball_shade(self.scene, pose.centre)) if sprite is not None else None

    def _cached(self, name: str, pose: BallPose) -> BallView | None:
        key = np.concatenate([pose.centre, pose.turn.ravel()])
        if name not in self._still or not np.array_equal(self._still[name][0], key):
            self._still[name] = (key, self._view(name, pose))
        return self._still[name][1]

    def _window(self, box: Box, jobs: list[Job]) -> Floats:
        r0, r1, c0, c1 = box
        inside = [job[1] for job in jobs if _meet(job[0], box)]
        steps = max(len(looks) for looks in inside)
        total = np.zeros((r1 - r0, c1 - c0, 3), np.float32)
        plate = self.plate.light[r0:r1, c0:c1]
        for step in range(steps):
            light = plate.copy()
            chosen = [looks[step * len(looks) // steps] for looks in inside]
            for _, shade in chosen:
                if shade is not None:
                    _multiply(light, shade, r0, c0)
            for sprite, _ in sorted(chosen, key=lambda look: -look[0].depth):
                _over(light, sprite, r0, c0)
            total += light
        return to_srgb(total * (self.sensor.gain / steps))

    def _developed(self, picture: Floats, t: float, index: int) -> Pixels:
        rng = np.random.default_rng((self.seed, index))
        height, width = picture.shape[:2]
        wander = 1.0 + self.sensor.drift * (
            0.6 * np.sin(t * 0.9 + self.seed) + 0.4 * np.sin(t * 0.23 + 2.0 * self.seed)
        )
        tile = self._tiles[int(rng.integers(len(self._tiles)))]
        y, x = int(rng.integers(64)), int(rng.integers(64))
        noise = tile[y : y + height, x : x + width]
        return np.asarray(cv2.addWeighted(picture, float(wander), noise, 1.0, 0.0, dtype=cv2.CV_8U), np.uint8)


def _part(box: Box) -> tuple[slice, slice]:
    return slice(box[0], box[1]), slice(box[2], box[3])


def _box(looks: list[BallView]) -> Box:
    parts = [part for look in looks for part in look if part is not None]
    sizes = [part.factor.shape if isinstance(part, Shade) else part.alpha.shape for part in parts]
    return (
        min(part.row for part in parts),
        max(part.row + size[0] for part, size in zip(parts, sizes, strict=True)),
        min(part.column for part in parts),
        max(part.column + size[1] for part, size in zip(parts, sizes, strict=True)),
    )


def _meet(one: Box, two: Box) -> bool:
    return one[0] < two[1] and two[0] < one[1] and one[2] < two[3] and two[2] < one[3]


def _merged(boxes: list[Box]) -> list[Box]:
    """Windows that don't overlap and cover all the given ones."""
    done: list[Box] = []
    for box in boxes:
        grown = box
        again = True
        while again:
            again = False
            for other in done:
                if _meet(grown, other):
                    done.remove(other)
                    grown = (
                        min(grown[0], other[0]),
                        max(grown[1], other[1]),
                        min(grown[2], other[2]),
                        max(grown[3], other[3]),
                    )
                    again = True
                    break
        done.append(grown)
    return done


def _multiply(light: Floats, shade: Shade, r0: int, c0: int) -> None:
    part, own = _common(light.shape, shade.factor.shape, shade.row - r0, shade.column - c0)
    light[part] *= shade.factor[own][..., None]


def _over(light: Floats, sprite: Sprite, r0: int, c0: int) -> None:
    part, own = _common(light.shape, sprite.alpha.shape, sprite.row - r0, sprite.column - c0)
    light[part] = light[part] * (1.0 - sprite.alpha[own][..., None]) + sprite.light[own]


def _common(
    outer: tuple[int, ...], inner: tuple[int, ...], row: int, column: int
) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
    r0, r1 = max(0, row), min(outer[0], row + inner[0])
    c0, c1 = max(0, column), min(outer[1], column + inner[1])
    r1, c1 = max(r0, r1), max(c0, c1)
    return (slice(r0, r1), slice(c0, c1)), (slice(r0 - row, r1 - row), slice(c0 - column, c1 - column))


def _seen(views: list[BallView], front: Cover | None) -> float:
    """The share of a ball's disc that neither a rail nor a person covers, in the middle of the exposure."""
    sprite = views[len(views) // 2][0]
    whole = float(sprite.alpha.sum()) / max(1e-9, sprite.share_open)
    if whole <= 0.0:
        return 0.0
    alpha = sprite.alpha
    if front is not None:
        own, part = _common(alpha.shape, front.alpha.shape, front.row - sprite.row, front.column - sprite.column)
        alpha = alpha.copy()
        alpha[own] *= 1.0 - front.alpha[part]
    return float(alpha.sum()) / whole


def pictures(studio: Studio, action: Action, times: list[float]) -> Iterator[Shown]:
    """The frames at these times."""
    for index, t in enumerate(times):
        yield studio.shoot(action, t, index)
