"""Whose fault a wrong verdict is: the record's own, or an earlier shot's; told on snooker shots made by hand."""

from typing import Any

from referee.app.benchmark.causes import missed_shots, wrong_verdicts
from referee.app.benchmark.figures import event_rates, merged, values
from referee.app.score.verdicts import verdict_figures
from referee.match.log import Match

COLOURS = {
    "yellow": [1181.0, 737.0],
    "green": [597.0, 737.0],
    "brown": [889.0, 737.0],
    "blue": [889.0, 1784.5],
    "pink": [889.0, 2676.75],
    "black": [889.0, 3245.0],
}
START = {"players": ["A", "B"], "striker": "A", "on": ["red"]}


def shot(n: int, hit: str | None, pot: str | None = None, **more: Any) -> dict[str, Any]:
    """Stroke n at 10 n seconds: hits a ball half a second later, pots a ball in the top left."""
    t = 10.0 * n
    reds = [k for k in range(1, 4) if k >= n]
    before = {"cue": [300.0, 1200.0], **COLOURS, **{f"red-{k}": [400.0 + 100 * k, 2200.0] for k in reds}}
    events: list[dict[str, Any]] = [{"t": t, "kind": "strike", "ball": "cue"}]
    if hit:
        events.append({"t": t + 0.5, "kind": "contact", "balls": ["cue", hit]})
    events.append({"t": t + 0.8, "kind": "cushion", "ball": "cue", "cushion": "top"})
    if pot:
        events.append({"t": t + 1.0, "kind": "pocket", "ball": pot, "pocket": "top-left"})
    events.append({"t": t + 3.0, "kind": "rest"})
    after = {name: place for name, place in before.items() if name != pot}
    return {"type": "shot", "n": n, "t0": t, "t1": t + 3.0, "before": before, "events": events, "after": after, **more}


def judged(shots: list[dict[str, Any]]) -> list[dict[str, Any]]:
    match = Match.from_case("snooker", START)
    return [dict(match.add(each).verdict) for each in shots]


def test_a_missed_pot_is_the_first_shots_fault_and_the_next_one_only_follows() -> None:
    """Truth: red potted, then a red hit with a colour on is a foul. Said: no pot, so B plays a red: fair."""
    true = [shot(1, "red-1", "red-1"), shot(2, "red-2", nominated={"ball": "blue"})]
    said = [shot(1, "red-1"), shot(2, "red-2")]
    truth = {"game": "snooker", "state": START, "shots": true, "verdicts": judged(true)}
    figures = verdict_figures(judged(said), said, truth["verdicts"], true)
    assert (figures["right"], figures["wrong"]) == (0, 2)
    assert figures["confusion"] == {"fair": {"fair": 1}, "foul": {"fair": 1}}
    (first, second), alone = wrong_verdicts(truth, [], said, figures["differ"])
    assert alone == {"of": 2, "right": 1, "undecided": 0, "wrong": 1}
    assert (first["n"], first["own"], first["causes"]) == (1, True, ["pocket: said none, true red top-left"])
    assert (second["n"], second["own"], second["causes"]) == (
        2,
        False,
        ["the state before it was wrong: an earlier shot"],
    )


def test_a_wrong_first_hit_is_named() -> None:
    true, said = [shot(1, "red-1")], [shot(1, "blue")]
    truth = {"game": "snooker", "state": START, "shots": true, "verdicts": judged(true)}
    differ = verdict_figures(judged(said), said, truth["verdicts"], true)["differ"]
    (found,), _ = wrong_verdicts(truth, [], said, differ)
    assert found["own"]
    assert found["causes"][0] == "hit first: said blue, true red-1"


def test_official_lines_come_between_the_shots_of_their_time() -> None:
    true = [shot(1, "red-1"), shot(2, "red-2")]
    inputs = [{"type": "official", "t": 13.2, "kind": "concede", "player": "B"}]
    truth = {"game": "snooker", "state": START, "shots": true, "verdicts": []}
    found, alone = wrong_verdicts({**truth, "shots": true[:1]}, inputs, true[:1], [])
    assert (found, alone["of"]) == ([], 0)


def test_shots_missed_and_invented_are_listed() -> None:
    true = [shot(1, "red-1"), shot(2, "red-2")]
    assert missed_shots([shot(2, "red-2"), shot(3, "red-3")], true) == [
        {"missed": 1, "t": 10.0, "stroke": True},
        {"invented": 3, "t": 30.0},
    ]


def kind(tp: int, fp: int, fn: int, ms: float | None, exact: int) -> dict[str, Any]:
    counts = {"true_positives": tp, "false_positives": fp, "false_negatives": fn}
    inexact = {"true_positives": exact, "false_positives": tp + fp - exact, "false_negatives": tp + fn - exact}
    return {**counts, "timing": {"count": tp, "median_ms": ms}, "exact": inexact}


def test_figures_of_two_clips_together() -> None:
    """3 + 1 of 4 + 2 events found, one of 5 claims wrong; medians weighted by their numbers: (3 · 2 + 1 · 6) / 4."""
    one = {"events": {"contact": kind(3, 1, 1, 2.0, 3)}, "verdicts": {"of": 2, "right": 1, "wrong": 1}}
    two = {"events": {"contact": kind(1, 0, 1, 6.0, 0)}, "verdicts": {"of": 3, "right": 3, "wrong": 0}}
    both = merged([one, two])
    assert event_rates(both, exact=False)["f1"] == round(2 * 4 / (5 + 6), 4)
    assert event_rates(both, exact=True)["f1"] == round(2 * 3 / (5 + 6), 4)
    assert values({**both, "verdicts": {**both["verdicts"], "undecided": 0, "missing": 0, "invented": 0}}) | {
        "contact_ms": 3.0,
        "right": 4,
        "wrong": 1,
        "mota": None,
    } == values({**both, "verdicts": {**both["verdicts"], "undecided": 0, "missing": 0, "invented": 0}})


def test_tracking_figures_of_two_clips_together() -> None:
    """MOTA of the sums: 1 − (2 + 1 + 1 + 0) / 40; squares of the errors weighted by 30 and 8 matches."""

    def part(tp: int, fp: int, fn: int, switches: int, rmse: float, idf1: float) -> dict[str, Any]:
        return {
            "tracking": {
                "frames": 10,
                "detection": {"true_positives": tp, "false_positives": fp, "false_negatives": fn},
                "identity": {"right": tp - 1, "of": tp},
                "position": {"count": tp, "rmse_mm": rmse},
                "misses": fn,
                "false_positives": fp,
                "switches": switches,
                "idf1": idf1,
                "hota": idf1,
            }
        }

    both = merged([part(30, 0, 0, 1, 1.0, 1.0), part(8, 1, 2, 0, 3.0, 0.6)])["tracking"]
    assert both["mota"] == 0.9
    assert both["position"]["rmse_mm"] == round(((30 * 1 + 8 * 9) / 38) ** 0.5, 3)
    assert both["idf1"] == 0.9
    assert both["identity"]["accuracy"] == round(36 / 38, 4)
