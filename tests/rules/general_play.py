"""A legal shot of 9-ball, for the general rules of pool."""

from typing import Any

from play import cushion, hit, shot
from pool_play import lying

GOOD = shot(hit("2"), cushion("2"), before=lying(2, 3, 9))
"""A legal shot of 9-ball with the 2 on."""


def good(*first: Any, before: Any = None, **more: Any) -> dict[str, Any]:
    """The legal shot, after these events."""
    return shot(*first, hit("2"), cushion("2"), before=before or lying(2, 3, 9), **more)
