"""The roll of names: which track is which ball of the set, settled at the start and looked at again between shots."""

import numpy as np

from tracking.field import Field
from tracking.naming import LATE_STRANGER_COST, best_names, kind_of
from tracking.throng import LEAST_PACK, UNLIKE, close_throngs, cut_throngs, in_packs, join_throngs, lost_tail
from tracking.tracks import ON_TABLE, BallState, Break, Track
from vision.balls import CUE

CONFIRM_HITS, LATE_REST_HITS = 3, 14
"""Looks after which a new track is believed: one that moves, and one that lies still and may be a hand."""

DOUBTFUL = 0.5
HAND_S = 0.4
"""No hand takes a ball up and puts it down elsewhere in less time."""

FETCH_S, RETURN_REACH = 1.0, 4.0
"""Nobody fetches a ball out of a pocket in less time; before that it lies within so many diameters if it came back."""

SHOWN_S = 0.6
"""What comes back to the table lies there for so long before it is believed: cue heads and bridges look like balls."""

DRIVEN, DRIVEN_S = 3.0, 0.1
"""A ball was hit by one that is within so many diameters, and what that one runs in so much time."""

CALM_S = 0.2
MISSING_LONG_S = 5.0
SETTLE_PICTURES = 10
"""Pictures after the start in which names are still settled, and then between two looks at them."""


class Roll:
    """Gives tracks their names."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self._settled = False

    def settle(self) -> None:
        """Gives names while they settle at the start, and to tracks that prove to be balls later on."""
        if self._settled:
            self._settled = False
            close_throngs(self.field)
        cut_throngs(self.field)
        live = [t for t in self.field.tracks if t.state in ON_TABLE]
        if self.field.picture < SETTLE_PICTURES:
            first = [
                t for t in live if t.name or (t.seen and (t.born_s <= self.field.start_s or t.hits >= CONFIRM_HITS))
            ]
            self._trust_rack(first)
            self.rename(first)
            return
        if self.field.picture % SETTLE_PICTURES == 0 and self._quiet():
            self._join()
            live = [t for t in self.field.tracks if t.state in ON_TABLE]
            self.rename([t for t in live if t.seen and t.name is not None])
        waiting = {id(t) for t in self._take_rack()}
        calm = self._calm()
        for track in [t for t in self.field.tracks if t.name is None and t.seen and id(t) not in waiting]:
            if calm and track.state is BallState.MOVING and not self._first_cue(track):
                # Where all balls lie still nothing but a hand moves: it has shown nothing of a ball so far.
                track.hits = 0
            elif self._proven(track):
                self._introduce(track)

    def _quiet(self) -> bool:
        """Whether all balls that are seen lie still: names are looked at again between shots only."""
        return all(
            t.state is BallState.AT_REST for t in self.field.tracks if t.name is not None and t.state in ON_TABLE
        )

    def _trust_rack(self, first: list[Track]) -> None:
        """Balls that lie racked when the pictures begin are balls for sure, whatever one looks like on its cloth."""
        lying = [t for t in first if t.state is BallState.AT_REST and t.seen]
        if len(lying) < LEAST_PACK:
            return
        packs = in_packs(np.array([t.rest_xy for t in lying]), self.field.bed.diameter)
        for track, pack in zip(lying, packs, strict=True):
            track.sure = bool(pack.any())

    def _take_rack(self) -> list[Track]:
        """Balls that are set up, touching each other, are balls for sure: they get their names all together.

        Returns those of which some have not been seen for long enough.
        """
        fresh = [t for t in self.field.tracks if t.name is None and t.state is BallState.AT_REST and t.seen]
        fresh = [t for t in fresh if not self._unlike(t)]
        if len(fresh) < LEAST_PACK or not self._quiet():
            return []
        packs = in_packs(np.array([t.rest_xy for t in fresh]), self.field.bed.diameter)
        racked = [t for t, pack in zip(fresh, packs, strict=True) if pack.any()]
        if any(t.hits < LATE_REST_HITS for t in racked):
            return racked
        bearers = {t.name: t for t in self.field.tracks if t.name is not None}
        here = frozenset(name for name, t in bearers.items() if name and t.state in ON_TABLE)
        for track in racked:
            track.sure = True
        names = best_names(racked, self.field.ball_set, here)
        for track in racked:
            name = names.get(track.key)
            if name in bearers:
                self._go_on(bearers[name], track, placed=True)
            else:
                track.name = name
        return []

    def _calm(self) -> bool:
        """Whether every ball that is on the table is seen to lie still."""
        known = [t for t in self.field.tracks if t.name is not None and t.state in ON_TABLE]
        return len(known) > 1 and all(
            t.state is BallState.AT_REST and self.field.picture_s - t.seen_s < CALM_S for t in known
        )

    def _first_cue(self, track: Track) -> bool:
        """Whether this may be a cue ball that nobody has seen yet."""
        return self.field.is_cue(track) and not any(t.name == CUE for t in self.field.tracks)

    def _proven(self, track: Track) -> bool:
        """Whether a track that turned up later has shown itself long enough: what lies still may be a hand."""
        if track.doubt > DOUBTFUL or self._unlike(track):
            return False
        return track.hits >= (LATE_REST_HITS if track.state is BallState.AT_REST else CONFIRM_HITS)

    def _unlike(self, track: Track) -> bool:
        """Whether it is far less like any ball of the set than each ball that is known."""
        fits = [t.fit for t in self.field.tracks if t.name is not None and t.looks > CONFIRM_HITS]
        return bool(fits) and track.fit < min(fits) - UNLIKE

    def _missing_long(self, track: Track) -> bool:
        """Whether a track may have been no ball: gone from the open, or lost from sight for long."""
        if track.state is BallState.GONE:
            return True
        return track.state is BallState.HIDDEN and self.field.picture_s - track.seen_s > MISSING_LONG_S

    def rename(self, tracks: list[Track]) -> None:
        """Settles the names of these tracks anew by all evidence so far.

        A name whose ball is gone is free: what bore it and was taken away may have been no ball at all.
        """
        chosen = {id(t) for t in tracks}
        others = [t for t in self.field.tracks if t.name is not None and id(t) not in chosen]
        reserved = frozenset(t.name for t in others if t.name and not self._missing_long(t))
        names = best_names(tracks, self.field.ball_set, reserved)
        taken = set(names.values())
        for track in others:
            if track.name in taken:
                track.name = None
        for track in tracks:
            name = names.get(track.key)
            if name != track.name:
                if track.name is not None and name is not None:
                    self.field.renamed.append((track.name, name))
                track.name = name

    def settle_names(self) -> None:
        """Settles names by the evidence of the whole shot; called when all balls lie still."""
        self._join()
        self.rename([t for t in self.field.tracks if t.name is not None])
        self._settled = True

    def _join(self) -> None:
        join_throngs(self.field, [t for t in self.field.tracks if t.name or (t.seen and self._proven(t))])

    def bearer(self, key: int, picture: int) -> str | None:
        """The name of what the track ``key`` was at a picture: heads may have been joined to other tracks since."""
        name = None
        for track in self.field.tracks:
            if track.origin is not None and track.origin.key == key and picture < track.origin.picture:
                return track.name
            if track.key == key:
                name = track.name
        return name

    def _introduce(self, track: Track) -> None:
        """A new track is a ball of the set that is missing: it goes on as that ball."""
        lost = lost_tail(self.field, track)
        if lost is not None:
            self._go_on(lost, track, placed=False)
            return
        missing = [t for t in self.field.tracks if t.name is not None and self._may_be(t, track)]
        held = frozenset(t.name for t in self.field.tracks if t.name and t not in missing and not self._missing_long(t))
        down = {t.name for t in self.field.tracks if t.name and t.state is BallState.POCKETED}
        name = best_names([track], self.field.ball_set, held - down, LATE_STRANGER_COST).get(track.key)
        bearer = next((t for t in self.field.tracks if t.name == name), None)
        if name is None or (name in held and not self._was_mistaken(bearer, track)):
            # Like none that is missing, or like one that dropped: that it was put back it has to show first.
            return
        if bearer is not None and bearer not in missing:
            # Both were seen at a time, and the other one is gone: it bore the name wrongly.
            bearer.name, track.name = None, name
            track.back_from = BallState.POCKETED if bearer.off_table else None
            self.field.renamed.append((name, name))
            return
        kind = kind_of(name, self.field.ball_set)
        same = [t for t in missing if t.name is not None and kind_of(t.name, self.field.ball_set) == kind]
        if self._unused(kind):
            # Of many alike there are some that nobody has seen yet; what dropped stays down.
            same = [t for t in same if t.state is not BallState.POCKETED]
        if not same:
            track.name = best_names([track], self.field.ball_set, held | {t.name for t in missing if t.name}).get(
                track.key
            )
            track.back_from = BallState.GONE
            return
        old = min(
            same,
            key=lambda t: (
                t.state is BallState.POCKETED,
                np.hypot(t.xy[0] - track.samples[0].x, t.xy[1] - track.samples[0].y),
            ),
        )
        way = float(np.hypot(track.samples[0].x - old.mean[0], track.samples[0].y - old.mean[1]))
        rolled = (
            old.state is BallState.HIDDEN and way < old.speed * (track.born_s - old.seen_s) + self.field.bed.diameter
        )
        self._go_on(old, track, placed=not rolled and old.origin is None and track.born_s - old.seen_s > HAND_S)

    def _was_mistaken(self, bearer: Track | None, track: Track) -> bool:
        """Whether what bore a name and is off the table was another thing: the ball lay here when it was seen last.

        A glove that takes the cue ball up looks like it; the ball is where the other hand put it meanwhile.
        """
        if bearer is None or not bearer.off_table or not bearer.samples:
            return False
        last_s = bearer.samples[-1].t_s
        both = track.born_s < last_s and track.state is BallState.AT_REST
        return both and self.field.picture_s - last_s > FETCH_S and self._put_down(track)

    def _go_on(self, old: Track, track: Track, *, placed: bool) -> None:
        """Makes a new track the rest of an old one."""
        old.breaks.append(Break(old.seen_s, track.born_s, placed, old.state))
        if placed:
            old.shown_s, old.doubt = track.born_s, track.doubt
            old.back_from = BallState.POCKETED if old.off_table else None
        old.samples.extend(track.samples)
        old.recent = track.recent
        old.state, old.mean, old.cov = track.state, track.mean, track.cov
        old.rest_xy, old.rest_n, old.drift = track.rest_xy, track.rest_n, track.drift
        old.still_since_s = track.still_since_s
        old.logp, old.looks, old.fit, old.sure = track.logp, track.looks, track.fit, track.sure
        old.run_logp, old.run_looks = track.run_logp, track.run_looks
        old.seen, old.seen_s, old.misses, old.uv = True, track.seen_s, 0, track.uv
        old.pocket = None
        self.field.tracks.remove(track)

    def _unused(self, kind: int) -> bool:
        """Whether a ball of this kind has had no track yet."""
        names = self.field.ball_set.names(self.field.ball_set.kinds[kind])
        return sum(t.name in names for t in self.field.tracks) < len(names)

    def _may_be(self, old: Track, new: Track) -> bool:
        """Whether a known ball that isn't seen could be this new track."""
        if old is new or old.seen or (old.samples and old.samples[-1].t_s > new.born_s):
            return False
        if old.state is BallState.AT_REST:
            return self.field.picture_s - old.seen_s > 0.25
        # Nobody fetches a ball while those of a pack still run apart.
        fetched = new.born_s - old.seen_s > FETCH_S and old.origin is None and self._put_down(new)
        if old.state is BallState.POCKETED and not fetched:
            # Somebody puts it down and it lies there, or it jumped out again.
            way = np.hypot(new.samples[0].x - old.mean[0], new.samples[0].y - old.mean[1])
            return float(way) < RETURN_REACH * self.field.bed.diameter
        return True

    def _put_down(self, track: Track) -> bool:
        """Whether somebody put a ball down here: it lies longer than a cue's head would, or a ball hits it."""
        if track.state is BallState.AT_REST:
            return self.field.picture_s - track.born_s > SHOWN_S
        diameter = self.field.bed.diameter
        return track.rest_n >= LATE_REST_HITS and any(
            t.name is not None
            and t.state is BallState.MOVING
            and np.hypot(*(t.mean[:2] - track.rest_xy)) < DRIVEN * diameter + t.speed * DRIVEN_S
            for t in self.field.tracks
        )
