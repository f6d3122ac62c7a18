"""The page itself: what was seen, shot by shot, and what the referee makes of it."""

from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from calibration.result import Calibration
from referee.app.analyze.tracks import read_frames
from referee.app.overlay.story import tone_of
from referee.app.report.drawing import last_places, shot_paths, table_svg
from referee.app.words import TERMS, assumed_words, ball_words, event_words, question_words


def _rows_of_shots(folder: Path, shots: Sequence[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """The rows of the tracks within each shot, the file read once."""
    frames = read_frames(folder / "tracks.parquet")
    pending = next(frames, None)
    for shot in shots:
        rows: list[dict[str, Any]] = []
        while pending is not None and pending[1][0]["t"] <= shot["t1"]:
            if pending[1][0]["t"] >= shot["t0"]:
                rows += pending[1]
            pending = next(frames, None)
        yield rows


def _facts(summary: dict[str, Any], calibration: Calibration, lang: str) -> str:
    terms = TERMS[lang]
    source, counts = summary["input"], summary["counts"]
    size = f", {source['width']}×{source['height']}" if "width" in source else ""
    lines = [(terms["file"], Path(source["path"]).name + size)]
    if "frames" in source:
        span = source["last_t_s"] - source["first_t_s"]
        lines.append((terms["length"], f"{span:.1f} s, {source['frames']} {terms['frames']}"))
    found_by = terms.get(f"by_{calibration.found_by}", calibration.found_by)
    fit = f"{calibration.residual_px:.2f} px, {calibration.residual_mm:.1f} mm"
    lines.append((terms["calibration"], f"{found_by}, {fit}"))
    lines.append((terms["balls"], str(counts["balls"])))
    if "shots" in counts:
        lines.append((terms["shots"], str(counts["shots"])))
    return "<dl>" + "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in lines) + "</dl>"


def _event_table(shot: dict[str, Any], lang: str) -> str:
    terms = TERMS[lang]
    rows = []
    for event in shot["events"]:
        sure = event.get("confidence", 1.0)
        sigma = f" ± {event['t_sigma']:.3f}" if event.get("t_sigma") else ""
        rows.append(
            f"<tr><td>{event['t']:.3f}{sigma} s</td><td>{escape(event_words(event, lang))}</td>"
            f'<td><meter min="0" max="1" value="{sure:.2f}">{sure:.2f}</meter> {sure:.0%}</td></tr>'
        )
    for gap in shot.get("gaps", ()):
        balls = ", ".join(ball_words(ball, lang) for ball in gap.get("balls") or ())
        rows.append(
            f"<tr class=dim><td>{gap['t0']:.3f} … {gap['t1']:.3f} s</td><td>{terms['unseen']} {escape(balls)}</td>"
            "<td></td></tr>"
        )
    head = f"<tr><th>{terms['time']}</th><th>{terms['event']}</th><th>{terms['certainty']}</th></tr>"
    return f"<table>{head}{''.join(rows)}</table>"


def _verdict(verdict: dict[str, Any], lang: str) -> str:
    terms = TERMS[lang]
    tone = tone_of(verdict)
    label = {"good": terms["legal"], "foul": terms["not_legal"], "open": terms["open"]}[tone]
    said = ". ".join((verdict.get("announce") or {}).get(lang) or [])
    parts = [f'<p class="say">{escape(said)}</p>' if said else "", f'<p><span class="tone {tone}">{label}</span></p>']
    findings = [f"{foul.get('clause')}: {foul.get('what')}" for foul in verdict.get("fouls", ())]
    findings += [f"{terms['question']}: {question_words(q, lang)}" for q in verdict.get("undecided", ())]
    findings += [f"{terms['assumed']}: {assumed_words(what, lang)}" for what in verdict.get("assumed", ())]
    if findings:
        parts.append("<ul>" + "".join(f"<li>{escape(text)}</li>" for text in findings) + "</ul>")
    score = ", ".join(f"{player} {points}" for player, points in (verdict.get("score") or {}).items())
    following = verdict.get("next") or {}
    on = ", ".join(ball_words(ball, lang) for ball in following.get("on") or ()) or "—"
    player = following.get("player") or "—"
    parts.append(
        f"<p>{terms['score']}: <b>{escape(score)}</b> · {terms['break']}: {verdict.get('break') or 0} · "
        f"{terms['next']}: {escape(player)}, {terms['on'].lower()}: {escape(on)}</p>"
    )
    return "".join(parts)


def _shot(
    shot: dict[str, Any],
    verdicts: Sequence[dict[str, Any]],
    rows: list[dict[str, Any]],
    calibration: Calibration,
    lang: str,
) -> str:
    table = calibration.table
    title = f"{TERMS[lang]['shot']} {shot.get('n', '')} · {shot['t0']:.2f} – {shot['t1']:.2f} s"
    paths = shot_paths(rows, table.ball_radius_mm)
    drawing = table_svg(
        table, shot.get("after") or last_places(rows), before=shot.get("before"), paths=paths, label=title
    )
    judged = "".join(_verdict(verdict, lang) for verdict in verdicts)
    return f"<section><h2>{escape(title)}</h2>{drawing}{judged}{_event_table(shot, lang)}</section>"


def write_report(
    folder: Path,
    summary: dict[str, Any],
    calibration: Calibration,
    balls: Sequence[dict[str, Any]],
    shots: Sequence[dict[str, Any]],
    verdicts: Sequence[dict[str, Any]],
) -> None:
    """``report.html`` in the folder, from what the folder already holds."""
    lang = summary["settings"]["lang"]
    terms = TERMS[lang]
    name = Path(summary["input"]["path"]).name
    warnings = "".join(f"<li>{escape(text)}</li>" for text in summary["warnings"])
    body = [f"<h1>cueref · {escape(name)}</h1>", _facts(summary, calibration, lang)]
    if warnings:
        body.append(f"<h2>{terms['warnings']}</h2><ul>{warnings}</ul>")
    if shots:
        for shot, rows in zip(shots, _rows_of_shots(folder, shots), strict=True):
            mine = [verdict for verdict in verdicts if verdict.get("n") == shot.get("n")]
            body.append(_shot(shot, mine, rows, calibration, lang))
    else:
        lying = {ball["ball"]: (ball["x"], ball["y"]) for ball in balls}
        still = "" if "shots" not in summary["counts"] else f"<p>{terms['no_shots']}</p>"
        body.append(f"<section>{still}{table_svg(calibration.table, lying, label=name)}</section>")
    style = files("referee.app.report").joinpath("style.css").read_text(encoding="utf-8")
    versions = ", ".join(f"{part} {number}" for part, number in summary["versions"].items())
    body.append(f"<p><small>{escape(versions)}</small></p>")
    page = (
        f'<!doctype html><html lang="{lang}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>cueref · {escape(name)}</title><style>{style}</style><body>{''.join(body)}</body></html>\n"
    )
    (folder / "report.html").write_text(page, encoding="utf-8")
