"""The settings of a running match: in its log's first line, and changed by ``setting`` lines."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from referee.match.announce import LANGUAGES
from tracking.strict_json import MalformedRecord, read_boolean, read_number, read_string

NOMINATIONS = ("inferred", "required")
FIXED = ("nominations",)
"""What the rules are told at the start and what therefore stays as it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskSettings:
    """nominations: what counts where nobody nominated. lang: of the calls. slow_play_s: so long after the balls came to
    rest the referee is warned, None: never. early_calls: whether a foul that is certain is called while balls run."""

    nominations: str = "inferred"
    lang: str = "en"
    slow_play_s: float | None = None
    early_calls: bool = True

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "DeskSettings":
        """The settings among a header's fields. Raises MalformedRecord."""
        settings = cls()
        for name in READ:
            if data.get(name) is not None:
                settings = settings._changed(name, data[name])
        return settings

    def with_value(self, name: str, value: object) -> "DeskSettings":
        """With one of them changed during the match. Raises MalformedRecord."""
        changeable = tuple(each for each in READ if each not in FIXED)
        if name in FIXED:
            raise MalformedRecord(
                "name", f"{', '.join(changeable)}, because {name} is fixed when a match is set up", name
            )
        read_string(name, "name", changeable)
        return self._changed(name, value)

    def _changed(self, name: str, value: object) -> "DeskSettings":
        changes: dict[str, Any] = {name: READ[name](value)}
        return replace(self, **changes)

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in READ}


READ: dict[str, Any] = {
    "nominations": lambda value: read_string(value, "nominations", NOMINATIONS),
    "lang": lambda value: read_string(value, "lang", LANGUAGES),
    "slow_play_s": lambda value: None if value is None else read_number(value, "slow_play_s", least=5.0, most=3600.0),
    "early_calls": lambda value: read_boolean(value, "early_calls"),
}
