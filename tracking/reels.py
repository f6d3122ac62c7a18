"""The running shot's pictures, and from them and the tracks the evidence for its inference."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tracking.cadence import LEAST_REPEATS, even_times, refined_times
from tracking.cutting import Cuts
from tracking.doubts import is_brief
from tracking.geometry import Bed
from tracking.infer.evidence import BlindLog, Evidence, Fate
from tracking.paths import fit_path
from tracking.sights import SightLog
from tracking.tracker import Tracker
from tracking.tracks import BallState, Sample, Track
from vision.balls import CUE
from vision.observations import Observations

Array = NDArray[np.float64]

STRAY_S, STRAY_MM = 0.3, 60.0
PUSHED_LOOKS, PUSHED_SPEED, PUSHED_MM, PUSHED_COSINE = 4, 30.0, 300.0, 0.95
"""A ball that runs on at so many looks, faster than this, mm/s, no farther than this from where it lay, was pushed."""

STILL_LOOKS, STILL_MM = 8, 3.0
"""So many looks at a ball, of which the later half lies so near to the earlier one, show it at rest."""

RUN_WAY = 1.5
"""A ball that covers so many diameters says something about the pictures' times."""


@dataclass(slots=True)
class Reel:
    """The pictures kept: number, stamp, frame and whether they were shown again; what was hidden and what
    was seen; blackouts.

    cuts: how the running shot's paths were cut last.
    """

    numbers: list[int] = field(default_factory=list)
    stamps: list[float] = field(default_factory=list)
    frames: list[int] = field(default_factory=list)
    repeated: list[bool] = field(default_factory=list)
    blind: BlindLog = field(default_factory=BlindLog)
    sights: SightLog = field(default_factory=SightLog)
    blackouts: list[tuple[float, float]] = field(default_factory=list)
    cuts: dict[str, Cuts] = field(default_factory=dict)

    def add(self, number: int, seen: Observations) -> None:
        stamp = seen.stamp
        self.numbers.append(number)
        self.stamps.append(stamp.t_s)
        self.frames.append(stamp.index)
        self.repeated.append(False)
        self.blind.add(stamp.t_s, seen.blind)
        self.sights.add(seen)

    def again(self) -> None:
        """The last picture is shown once more."""
        if self.repeated:
            self.repeated[-1] = True

    def forget_before(self, t_s: float) -> None:
        self.cuts.clear()
        keep = int(np.searchsorted(self.stamps, t_s))
        if keep:
            del self.numbers[:keep], self.stamps[:keep], self.frames[:keep], self.repeated[:keep]
            self.blind.forget_before(t_s)
            self.sights.forget_before(t_s)
            self.blackouts = [span for span in self.blackouts if span[1] >= t_s]


@dataclass(frozen=True, slots=True)
class _Part:
    """The samples of one track that belong to the shot, and how they end."""

    name: str
    samples: list[Sample]
    fate: Fate


def _set_off_s(tracker: Tracker) -> float:
    """When the cue ball was first seen off its place, inf where it lies where it lay."""
    cue = next((track for track in tracker.tracks if track.name == CUE), None)
    if cue is None or not cue.samples:
        return np.inf
    first = cue.samples[0]
    for sample in cue.samples:
        if np.hypot(sample.x - first.x, sample.y - first.y) > tracker.bed.radius:
            return sample.t_s
    return np.inf


def _part(track: Track, until_s: float, struck_s: float, start_s: float, bed: Bed) -> _Part | None:
    """The part of a track that is one ball's own way: what a hand did before or after the stroke is left out."""
    samples = [sample for sample in track.samples if sample.t_s <= until_s]
    state, back = track.state, None
    for gap in track.breaks:
        if not gap.placed or gap.back_s > until_s:
            continue
        ahead = [s for s in samples if s.t_s < gap.back_s]
        after = [s for s in samples if s.t_s >= gap.back_s]
        if gap.state is not BallState.POCKETED and _pushed_out(ahead, after):
            continue
        if ahead and gap.back_s > struck_s + 0.1 and (track.name != CUE or _left_bed(bed, ahead)):
            samples, state, back = ahead, gap.state, gap.back_s
            break
        samples = after or ahead
    samples = _without_strays(samples)
    if not samples:
        return None
    fate = Fate(
        last_s=samples[-1].t_s,
        state=state,
        back_s=back,
        still_since_s=track.still_since_s,
        taken=track.taken,
        reach=track.reach if track.reach is not None and track.reach.seen_s == track.seen_s else None,
        proven=track.shown_s <= start_s or not is_brief(track),
    )
    return _Part(track.name or "", samples, fate)


def _left_bed(bed: Bed, samples: list[Sample]) -> bool:
    """Whether the cue ball lay still and then left the bed: a hand takes it up on the bed, if it takes it."""
    first = np.array([(s.x, s.y) for s in samples[:STILL_LOOKS]])
    if len(first) < STILL_LOOKS:
        return False
    half = STILL_LOOKS // 2
    if float(np.hypot(*(first[:half].mean(axis=0) - first[half:].mean(axis=0)))) > STILL_MM:
        return False
    return not bool(bed.inside(np.array([samples[-1].x, samples[-1].y]), bed.radius)[0])


def _pushed_out(ahead: list[Sample], after: list[Sample]) -> bool:
    """Whether a ball that a hand covered rolls out of it straight away from where it lay: it was pushed, not placed."""
    if not ahead or len(after) <= PUSHED_LOOKS:
        return False
    home, first, later = ahead[-1], after[0], after[PUSHED_LOOKS]
    way = np.array([first.x - home.x, first.y - home.y])
    step = np.array([later.x - first.x, later.y - first.y])
    far, run = float(np.hypot(*way)), float(np.hypot(*step))
    if far > PUSHED_MM or run < PUSHED_SPEED * (later.t_s - first.t_s):
        return False
    return float(way @ step) > PUSHED_COSINE * far * run


def _left_earlier(fate: Fate, begun_s: float, struck_s: float) -> bool:
    """Whether a ball was off the bed already: dropped or fallen before the pictures kept begin, or taken away by a hand
    before the stroke.
    """
    if fate.state is BallState.GONE and fate.taken:
        return fate.last_s < (struck_s if np.isfinite(struck_s) else begun_s)
    return fate.state in (BallState.POCKETED, BallState.OFF) and fate.last_s < begun_s


def _without_strays(samples: list[Sample]) -> list[Sample]:
    """Drops one or two samples at the end that come long after the ball was lost sight of: another thing's."""
    for count in (1, 2):
        if len(samples) > count + 3:
            ahead, behind = samples[-count - 1], samples[-count]
            far = np.hypot(ahead.x - behind.x, ahead.y - behind.y)
            if behind.t_s - ahead.t_s > STRAY_S and far > STRAY_MM:
                return samples[:-count]
    return samples


def _picture_times(reel: Reel, parts: list[_Part], diameter_mm: float) -> tuple[dict[int, float], float]:
    """The time of each picture, and its 1 sigma."""
    stamps, repeated = np.array(reel.stamps), np.array(reel.repeated)
    times = even_times(stamps, repeated)
    beats = bool(repeated.mean() >= LEAST_REPEATS) if len(repeated) else False
    if beats:
        first = reel.numbers[0]
        runs = []
        for part in parts:
            rows = np.array([s.picture - first for s in part.samples])
            xy = np.array([(s.x, s.y) for s in part.samples])
            keep = (rows >= 0) & (rows < len(times))
            if keep.sum() > 6 and float(np.ptp(xy[keep], axis=0).max()) > RUN_WAY * diameter_mm:
                sigma = np.array([np.sqrt((s.xx + s.yy) / 2) for s in part.samples])
                runs.append((rows[keep], xy[keep], sigma[keep]))
        times = refined_times(stamps, times, np.array(reel.frames), runs)
    return dict(zip(reel.numbers, times.tolist(), strict=True)), 0.004 if beats else 0.0008


def build_evidence(tracker: Tracker, reel: Reel, *, until_s: float | None = None) -> Evidence | None:
    """The evidence of the pictures kept so far, up to ``until_s``; None where there are none."""
    if len(reel.numbers) < 3:
        return None
    end = reel.stamps[-1] if until_s is None else until_s
    struck_s = _set_off_s(tracker)
    named = (track for track in tracker.tracks if track.name is not None)
    all_parts = [_part(track, end, struck_s, tracker.field.start_s, tracker.bed) for track in named]
    parts = [part for part in all_parts if part is not None]
    parts = [part for part in parts if not _left_earlier(part.fate, reel.stamps[0], struck_s)]
    picture_s, clock_sigma = _picture_times(reel, parts, tracker.bed.diameter)
    paths, fates = {}, {}
    for part in parts:
        # Samples from before the first picture kept are those of a ball that lies still since.
        first = reel.numbers[0]
        t = np.array([picture_s.get(s.picture, reel.stamps[0] + (s.picture - first) * 0.03) for s in part.samples])
        xy = np.array([(s.x, s.y) for s in part.samples])
        cov = np.array([((s.xx, s.xy), (s.xy, s.yy)) for s in part.samples])
        paths[part.name] = fit_path(part.name, t, xy, cov, clock_sigma_s=clock_sigma, memory=reel.cuts)
        fates[part.name] = part.fate
    spacing = float(np.median(np.diff([picture_s[n] for n in reel.numbers])))
    return Evidence(
        bed=tracker.bed,
        paths=paths,
        fates=fates,
        blind=reel.blind,
        sights=reel.sights,
        picture_s=picture_s,
        blackouts=tuple(reel.blackouts),
        t0_s=reel.stamps[0],
        t1_s=end,
        spacing_s=max(spacing, 1e-3),
        clock_sigma_s=clock_sigma,
    )
