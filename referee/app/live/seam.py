"""What the eye asks of the match that it watches for."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from referee.app.live.state import SeenTable, SourceState
from tracking.records import Event, Gap, Positions, Reading, ShotRecord


class MatchDesk(Protocol):
    """The running match. Each call returns at once (a few ms) and may come from any thread."""

    @property
    def folder(self) -> Path:
        """The match's folder."""
        ...

    @property
    def header(self) -> Mapping[str, Any]:
        """The first line of its log: ``game``, ``table``, ``options``."""
        ...

    def record(self, record: ShotRecord, captured_s: float | None) -> object:
        """A shot or an incident is over. captured_s: when the light came that decided it, by ``time.monotonic``."""

    def running(
        self,
        events: tuple[Event, ...],
        before: Positions | None,
        t_s: float,
        *,
        gaps: tuple[Gap, ...] = (),
        doubtful: tuple[Reading, ...] | None = None,
    ) -> object:
        """What seems to have happened so far in the running shot, from ``before``; later pictures may correct it.

        gaps, doubtful: as in a record, as far as they are known.
        """

    def seen(self, table: SeenTable) -> object:
        """What is seen now, for those who look on; kept by nobody."""

    def source(self, state: SourceState) -> object:
        """How the source is."""

    def gap(self, t0_s: float, t1_s: float, reason: str, frames: int) -> object:
        """From t0_s to t1_s nothing, or not every picture, was seen. frames: pictures left out, 0 where unknown."""

    def calibrated(self, calibration: Mapping[str, Any]) -> object:
        """From now on this calibration is used (``calibration.json``)."""
