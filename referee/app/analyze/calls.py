"""``calls.vtt``: what the referee says, as WebVTT subtitles."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

LEAST_S = 2.5
A_CHARACTER_S = 0.07


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """Words said at a time of the video's clock, after the shot ``n`` (None: no shot)."""

    t_s: float
    n: int | None
    words: tuple[str, ...]

    @property
    def text(self) -> str:
        return ". ".join(self.words)

    @property
    def lasting_s(self) -> float:
        """Long enough to be read."""
        return max(LEAST_S, A_CHARACTER_S * len(self.text))


def timestamp(t_s: float) -> str:
    """``hh:mm:ss.mmm``; WebVTT knows no time before zero."""
    total_ms = max(0, round(t_s * 1000))
    seconds, ms = divmod(total_ms, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{seconds:02}.{ms:03}"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _cues(calls: Sequence[Call]) -> list[tuple[str, float, float, Call]]:
    """Name, start and end (s) of each call's cue: until it can have been read or the next one falls."""
    cues = []
    for i, call in enumerate(calls):
        following = calls[i + 1].t_s if i + 1 < len(calls) else float("inf")
        end = min(call.t_s + call.lasting_s, max(following, call.t_s + 0.5))
        cues.append((f"shot {call.n}" if call.n is not None else f"call {i + 1}", call.t_s, end, call))
    return cues


def vtt_text(calls: Sequence[Call]) -> str:
    """WebVTT, one cue a call."""
    blocks = ["WEBVTT\n"]
    for name, start, end, call in _cues(calls):
        lines = "\n".join(_escaped(word) for word in call.words)
        blocks.append(f"{name}\n{timestamp(start)} --> {timestamp(end)}\n{lines}\n")
    return "\n".join(blocks)


def srt_text(calls: Sequence[Call]) -> str:
    """SubRip, one cue a call."""
    blocks = []
    for number, (_, start, end, call) in enumerate(_cues(calls), 1):
        span = f"{timestamp(start)} --> {timestamp(end)}".replace(".", ",")
        blocks.append(f"{number}\n{span}\n" + "\n".join(call.words) + "\n")
    return "\n".join(blocks)


def write_vtt(path: Path, calls: Sequence[Call]) -> None:
    """``calls.vtt``."""
    path.write_text(vtt_text(calls), encoding="utf-8")
