"""Whole shots: what the watcher writes down against what exactly happened."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from scene import FPS, Look, Truth, kind, observe, play

import tracking.watcher
from calibration.tables import TABLES
from tracking.geometry import Bed
from tracking.infer.evidence import Evidence
from tracking.infer.shot import Happenings
from tracking.records import Contact, Event, Pocket, ShotRecord
from tracking.watcher import ShotWatcher

ROWS = ("xy_mm", "cov_mm2", "uv_px", "radius_px", "identity_logp", "visibility")
COLOURS = {"blue": (889.0, 1784.5), "pink": (889.0, 2676.75), "black": (889.0, 3245.0)}


def watch(truth: Truth, look: Look, until_s: float | None = None) -> tuple[list[ShotRecord], ShotWatcher]:
    watcher = ShotWatcher(truth.table, truth.ball_set)
    records = []
    for observations in observe(truth, look, until_s):
        records += watcher.step(observations)
    return records + watcher.finish(), watcher


def only(records: list[ShotRecord]) -> ShotRecord:
    assert len(records) == 1
    return records[0]


def first(events: tuple[Event, ...], kind_: str) -> Event:
    return next(event for event in events if event.kind == kind_)


def pots(record: ShotRecord) -> set[tuple[str, str]]:
    return {(kind(event.ball), event.pocket) for event in record.events if isinstance(event, Pocket)}


def test_a_straight_pot_from_strike_to_rest() -> None:
    truth = play({"cue": (1300.0, 1784.5), "blue": (600.0, 1784.5), "pink": (889.0, 2676.75)}, (-2500.0, 0.0))
    record = only(watch(truth, Look(noise_mm=1.0))[0])
    assert [event.kind for event in record.events] == ["strike", "contact", "pocket", "rest"]
    strike, contact, pocket, _ = record.events
    assert strike.t_s == pytest.approx(1.0, abs=0.01)
    # 647.5 mm of way at 2500 mm/s, slowing down by 120 mm/s²: 0.2606 s after the strike.
    assert contact.t_s == pytest.approx(1.2606, abs=0.01)
    assert contact.balls_involved == ("cue", "blue") and contact.certain
    assert isinstance(pocket, Pocket) and (pocket.ball, pocket.pocket) == ("blue", "middle-left") and pocket.certain
    assert record.before is not None and record.before["cue"] == pytest.approx((1300.0, 1784.5), abs=1.0)
    assert record.after is not None and set(record.after) == {"cue", "pink"}
    assert record.gaps == ()


def test_a_near_miss_is_no_contact() -> None:
    # The cue ball passes the pink with 4 mm to spare, then hits the black.
    truth = play({"cue": (889.0, 600.0), "pink": (945.5, 2000.0), "black": (889.0, 3245.0)}, (0.0, 3000.0))
    record = only(watch(truth, Look(noise_mm=1.5))[0])
    touched = [event.balls for event in record.events if isinstance(event, Contact)]
    assert touched[0] == ("cue", "black")
    assert not any("pink" in pair for pair in touched)


def test_a_thin_hit_between_two_frames_is_a_contact() -> None:
    # The blue lies 46 mm beside the cue ball's way: a hit of about an eighth of a ball at 4 m/s.
    truth = play({"cue": (843.0, 600.0), "blue": (889.0, 1784.5), "black": (300.0, 3245.0)}, (0.0, 4000.0))
    assert truth.of("contact")[0][2:] == ("cue", "blue")
    contact = first(only(watch(truth, Look(noise_mm=1.5))[0]).events, "contact")
    assert contact.balls_involved == ("cue", "blue")
    assert contact.t_s == pytest.approx(truth.of("contact")[0][0], abs=0.02)


def test_a_graze_that_moves_the_ball_by_less_than_is_seen_bends_the_path() -> None:
    # Found by a slow roll that clips the pink by a hair: it takes some 20 mm/s and rolls 2 mm.
    truth = play({"cue": (400.0, 2000.0), "pink": (452.1, 2250.0), "black": (889.0, 3245.0)}, (0.0, 420.0))
    hit = truth.of("contact")[0]
    moved = np.hypot(*(truth.place("pink", truth.rest_s) - np.array([452.1, 2250.0])))
    assert hit[2:] == ("cue", "pink") and 0.5 < moved < 12.0
    record = only(watch(truth, Look(noise_mm=0.5))[0])
    contact = first(record.events, "contact")
    assert contact.balls_involved == ("cue", "pink")
    assert contact.t_s == pytest.approx(hit[0], abs=0.1)


def test_a_ball_hidden_by_the_player_is_no_pot() -> None:
    truth = play({"cue": (400.0, 900.0), "blue": (400.0, 1784.5), "pink": (889.0, 2676.75)}, (0.0, 900.0))
    player = np.array([[-100.0, 1500.0], [1000.0, 1500.0], [1000.0, 2500.0], [-100.0, 2500.0]])
    record = only(watch(truth, Look(noise_mm=1.0, blind=((1.5, 60.0, player),)), until_s=12.0)[0])
    assert pots(record) == set()
    assert any(gap.balls == ("blue",) for gap in record.gaps) or record.after is None


def test_a_cut_before_rest_leaves_a_gap() -> None:
    truth = play({"cue": (400.0, 900.0), "blue": (400.0, 1784.5)}, (0.0, 3000.0))
    record = only(watch(truth, Look(noise_mm=1.0, no_view=((2.0, 9.0),)), until_s=5.0)[0])
    assert not any(event.kind == "rest" for event in record.events)
    assert record.after is None
    assert record.gaps and max(gap.t1_s for gap in record.gaps) > 2.0
    assert all(event.t_s < 2.1 for event in record.events)


def test_a_hand_that_places_balls_is_no_shot() -> None:
    truth = play({"cue": (400.0, 900.0), "blue": (400.0, 1784.5)}, (0.0, 0.001), limit_s=1.001)
    frames = observe(truth, Look(noise_mm=0.7), until_s=8.0)
    moved = []
    for i, frame in enumerate(frames):
        t = i / FPS
        xy = frame.xy_mm.copy()
        row = int(np.hypot(*(xy - (400.0, 900.0)).T).argmin())
        if 2.0 < t < 4.0:
            # A hand covers the cue ball and carries it.
            hand = np.array([xy[row] + [dx, dy] for dx, dy in ((-80, -80), (80, -80), (80, 80), (-80, 80))])
            keep = np.arange(len(xy)) != row
            names = ("xy_mm", "cov_mm2", "uv_px", "radius_px", "identity_logp", "visibility")
            moved.append(replace(frame, blind=(hand,), **{n: getattr(frame, n)[keep] for n in names}))
            continue
        if t >= 4.0:
            xy[row] = xy[row] + [300.0, -200.0]
        moved.append(replace(frame, xy_mm=xy))
    watcher = ShotWatcher(truth.table, truth.ball_set)
    records = [record for frame in moved for record in watcher.step(frame)] + watcher.finish()
    assert records == []
    cue = watcher.frame.ball("cue") if watcher.frame else None
    assert cue is not None and (cue.x, cue.y) == pytest.approx((700.0, 700.0), abs=3.0)


def test_events_of_the_running_shot_are_there_before_its_end() -> None:
    truth = play({"cue": (400.0, 900.0), "blue": (400.0, 1784.5)}, (0.0, 2500.0))
    watcher = ShotWatcher(truth.table, truth.ball_set)
    seen: dict[str, float] = {}
    for observations in observe(truth, Look(noise_mm=1.0)):
        watcher.step(observations)
        for event in watcher.running():
            seen.setdefault(event.kind, observations.stamp.t_s)
    assert seen["strike"] < 1.5
    assert seen["contact"] < truth.of("contact")[0][0] + 0.5


def test_a_ball_that_is_not_found_again_after_a_hit_is_not_said_to_lie_where_it_lay() -> None:
    truth = play({"cue": (889.0, 900.0), "blue": (889.0, 1784.5), "pink": (400.0, 2676.75)}, (0.0, 600.0))
    hit_s = truth.of("contact")[0][0]
    frames = []
    for frame in observe(truth, Look(noise_mm=1.0)):
        near = np.hypot(*(frame.xy_mm - truth.place("blue", frame.stamp.t_s)).T)
        keep = (near > 30.0) | (frame.stamp.t_s < hit_s)
        frames.append(replace(frame, **{name: getattr(frame, name)[keep] for name in ROWS}))
    watcher = ShotWatcher(truth.table, truth.ball_set)
    record = only([record for frame in frames for record in watcher.step(frame)] + watcher.finish())
    assert record.before is not None and "blue" in record.before
    assert not any(isinstance(event, Pocket) for event in record.events)
    assert record.after is None and "pink" not in {ball for gap in record.gaps for ball in gap.balls or ()}
    assert any(gap.balls == ("blue",) and gap.t0_s < hit_s + 0.1 and gap.t1_s > record.t1 - 0.5 for gap in record.gaps)


def test_a_ball_that_nothing_ran_into_lies_there_though_it_is_not_seen() -> None:
    truth = play({"cue": (889.0, 900.0), "blue": (889.0, 1784.5), "pink": (400.0, 2676.75)}, (0.0, 600.0))
    frames = []
    for frame in observe(truth, Look(noise_mm=1.0)):
        keep = (np.hypot(*(frame.xy_mm - (400.0, 2676.75)).T) > 30.0) | (frame.stamp.t_s < 1.5)
        frames.append(replace(frame, **{name: getattr(frame, name)[keep] for name in ROWS}))
    watcher = ShotWatcher(truth.table, truth.ball_set)
    record = only([record for frame in frames for record in watcher.step(frame)] + watcher.finish())
    assert record.after is not None and record.after["pink"] == pytest.approx((400.0, 2676.75), abs=2.0)


def inferred_at(monkeypatch: pytest.MonkeyPatch, truth: Truth) -> list[float]:
    """When in a shot it is worked out what happened, up to its record."""
    watcher = ShotWatcher(truth.table, truth.ball_set)
    times: list[float] = []
    infer = tracking.watcher.infer_shot

    def counted(evidence: Evidence, *, over: bool) -> Happenings:
        times.append(now_s)
        return infer(evidence, over=over)

    monkeypatch.setattr(tracking.watcher, "infer_shot", counted)
    for observations in observe(truth, Look(noise_mm=1.0)):
        now_s = observations.stamp.t_s
        if watcher.step(observations):
            return times
        watcher.running()
    raise AssertionError("no record")


def test_what_follows_the_first_contact_is_worked_out_less_and_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    truth = play({"cue": (400.0, 900.0), "blue": (400.0, 1784.5)}, (0.0, 2500.0))
    times = inferred_at(monkeypatch, truth)
    strike_s, contact_s = truth.of("strike")[0][0], truth.of("contact")[0][0]
    gaps = [(at, after - at) for at, after in pairwise(times[:-1])]  # the last is the record's own
    assert all(gap < 0.3 for at, gap in gaps if at < contact_s + 1.0)
    assert all(gap < 0.3 + (at - strike_s) / 4 for at, gap in gaps)
    late = [(at, gap) for at, gap in gaps if at > strike_s + 4.0]
    assert late and all(gap > (at - strike_s) / 10 for at, gap in late)


def test_once_all_lie_still_only_the_record_is_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    corner = next(mouth for mouth in Bed(TABLES["snooker-12ft"]).mouths if mouth.pocket == "top-right")
    red = corner.centre + corner.inward * 220.0
    (u, v), angle = -corner.inward, np.radians(45.0)
    way = np.array([u * np.cos(angle) - v * np.sin(angle), u * np.sin(angle) + v * np.cos(angle)])
    # the cue ball drives the red along the pocket's axis, coming at 45 degrees to it, and runs on
    cue = red + 52.5 * corner.inward - 400.0 * way
    truth = play({"cue": tuple(cue), "red-1": tuple(red)}, tuple(1500.0 * way))
    assert truth.of("pocket") and truth.rest_s > truth.of("contact")[0][0] + 1.5
    times = inferred_at(monkeypatch, truth)
    # nothing covers the pocket, so nothing is waited for
    assert [at for at in times if at > truth.rest_s + 0.2] == times[-1:]


def test_memory_is_bounded_and_rows_come_for_every_frame() -> None:
    truth = play({"cue": (400.0, 900.0), "blue": (400.0, 1784.5)}, (0.0, 600.0), strike_s=20.0)
    watcher = ShotWatcher(truth.table, truth.ball_set)
    frames, rows = observe(truth, Look(noise_mm=1.0)), []
    for observations in frames:
        watcher.step(observations)
        rows += watcher.frame_rows()
        if observations.stamp.t_s < 20.0:
            assert all(len(track.samples) < 60 for track in watcher.tracker.tracks)
    watcher.finish()
    rows += watcher.frame_rows()
    assert sorted({row.frame for row in rows}) == list(range(len(frames)))
    assert len({(row.frame, row.ball) for row in rows}) == len(rows)
    moving = [row for row in rows if row.ball == "cue" and row.state == "moving"]
    off = [np.hypot(*(truth.place("cue", row.t) - np.array([row.x, row.y]))) for row in moving]
    assert np.median(off) < 1.5


@st.composite
def layouts(draw: st.DrawFn) -> tuple[dict[str, tuple[float, float]], tuple[float, float]]:
    places = st.tuples(st.floats(120, 1650), st.floats(120, 3440))
    balls: dict[str, tuple[float, float]] = {}
    for name in ("cue", "yellow", "blue", "black", "red-1", "red-2"):
        place = draw(places)
        assume(all(np.hypot(place[0] - x, place[1] - y) > 120 for x, y in balls.values()))
        balls[name] = place
    target = balls[draw(st.sampled_from(["yellow", "blue", "black", "red-1"]))]
    angle = np.arctan2(target[1] - balls["cue"][1], target[0] - balls["cue"][0]) + draw(st.floats(-0.01, 0.01))
    speed = draw(st.floats(700, 4000))
    return balls, (float(speed * np.cos(angle)), float(speed * np.sin(angle)))


@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(layouts(), st.integers(0, 10))
def test_any_shot_comes_out_as_it_was(
    layout: tuple[dict[str, tuple[float, float]], tuple[float, float]], seed: int
) -> None:
    truth = play(*layout)
    record = only(watch(truth, Look(noise_mm=1.0, miss=0.02, seed=seed))[0])
    assert first(record.events, "strike").t_s == pytest.approx(1.0, abs=0.02)
    hits = [event for event in truth.of("contact") if "cue" in event[2:]]
    if hits:
        contact = next(e for e in record.events if isinstance(e, Contact) and "cue" in e.balls)
        hit = next(ball for ball in hits[0][2:] if ball != "cue")
        assert kind(contact.other("cue") or "") == kind(hit)
        assert contact.t_s == pytest.approx(hits[0][0], abs=0.035)
    assert pots(record) == {(kind(event[2]), event[3]) for event in truth.of("pocket")}
    assert [event.t_s for event in record.events] == sorted(event.t_s for event in record.events)


def test_a_cue_ball_that_flies_off_after_two_looks_was_struck() -> None:
    truth = play({"cue": (925.0, 900.0), "blue": (889.0, 1784.5), "black": (300.0, 3245.0)}, (0.0, 6000.0))
    hit = next(event[0] for event in truth.of("contact"))
    watcher = ShotWatcher(truth.table, truth.ball_set)
    records = []
    for seen in observe(truth, Look(noise_mm=1.0)):
        cue = seen.identity_logp.argmax(axis=1) == truth.ball_set.kinds.index("cue")
        # Unseen on its way to the blue, it shows twice after the hit and never again.
        gone = cue & ((1.0 < seen.stamp.t_s < hit) | (seen.stamp.t_s > hit + 2.0 / FPS))
        keep = {name: getattr(seen, name)[~gone] for name in ROWS}
        records += watcher.step(replace(seen, **keep))
    record = only(records + watcher.finish())
    assert first(record.events, "strike").t_s == pytest.approx(1.0, abs=0.15)
    assert record.after is None
