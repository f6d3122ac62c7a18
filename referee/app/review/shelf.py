"""What can be reviewed: the analyses in a folder, and the matches that are kept or being played."""

from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from threading import RLock
from typing import Any

from referee.app.desk.matches import Matches
from referee.app.desk.store import LOG
from referee.app.review.analysis import AnalysisReview
from referee.app.review.errors import NotThere, ReviewError
from referee.app.review.folder import is_analyzed
from referee.app.review.match import MatchReview
from referee.app.review.review import Review

OPEN_AT_ONCE = 16
FRAMES_OF = 3
"""Decoded frames are kept of so many reviews, those looked at last."""


class Shelf:
    """Reviews by their id, the name of their folder. Calls may come from any thread."""

    def __init__(
        self,
        analyses: dict[str, Path] | None = None,
        matches: Matches | None = None,
        *,
        only: str | None = None,
        video: Path | None = None,
    ) -> None:
        """analyses: id → analyzed folder. only: this match and no other. video: where the one analysis's footage is."""
        self._analyses = dict(analyses or {})
        self.matches = matches
        self._only = only
        self._video = video
        self._open: OrderedDict[str, Review] = OrderedDict()
        self._lock = RLock()

    def ids(self) -> list[str]:
        """Of everything that can be reviewed: analyses first, then matches, the newest first."""
        matches = [] if self.matches is None else self.matches.ids()
        return [*self._analyses, *(name for name in matches if self._only in (None, name))]

    def entries(self, ids: Sequence[str]) -> list[dict[str, Any]]:
        """What the index tells of these matches; none of them is opened for it."""
        return [] if self.matches is None or not ids else self.matches.entries(ids)

    @property
    def analyses(self) -> list[str]:
        return list(self._analyses)

    def recent(self, matches: int) -> list[str]:
        """All analyses, and so many of the newest matches."""
        kept = self.ids()
        return kept[: len(self._analyses) + matches]

    def get(self, id: str) -> Review:
        """Raises NotThere, ReviewError."""
        with self._lock:
            if id not in self.ids():
                raise NotThere("no such review")
            if id in self._open and self._open[id].outdated():
                self._open.pop(id).close()
            if id not in self._open:
                self._open[id] = self._opened(id)
            self._open.move_to_end(id)
            for other in list(self._open)[:-FRAMES_OF][-1:]:
                self._open[other].release()
            while len(self._open) > OPEN_AT_ONCE:
                self._open.popitem(last=False)[1].close()
            return self._open[id]

    def _opened(self, id: str) -> Review:
        if id in self._analyses:
            return AnalysisReview(id, self._analyses[id], self._video)
        assert self.matches is not None
        matches = self.matches

        def running() -> Any:
            desk = matches.current
            return desk if desk is not None and desk.id == id else None

        return MatchReview(id, matches.folder_of(id), running)

    def current(self) -> Review:
        """The match that is being played. Raises NotThere."""
        desk = None if self.matches is None else self.matches.current
        if desk is None:
            raise NotThere("no match is being played")
        return self.get(desk.id)


def open_folder(folder: Path, video: Path | None = None) -> Shelf:
    """The shelf of a folder: an analysis, a match, or a folder of many such. Raises ReviewError."""
    if not folder.is_dir():
        raise ReviewError(f"{folder}: no such folder; give the folder that cueref analyze or cueref live wrote")
    folder = folder.resolve()
    if is_analyzed(folder):
        return Shelf({folder.name: folder}, video=video)
    if video is not None:
        raise ReviewError(f"--video {video}: goes with one analyzed folder, and {folder} isn't one")
    if (folder / LOG).is_file():
        return Shelf(matches=Matches(folder.parent), only=folder.name)
    inside = sorted(path for path in folder.iterdir() if path.is_dir() and not path.name.startswith("."))
    analyses = {path.name: path for path in inside if is_analyzed(path)}
    matches = Matches(folder)
    if not analyses and not matches.ids():
        raise ReviewError(f"{folder}: holds neither an analyzed clip nor a match; analyze a clip with --out {folder}")
    return Shelf(analyses, matches)
