"""The lines of a match's log that are the desk's own. Apart, so that who only skips them need not load the desk."""

OWN_TYPES = (
    "nomination",
    "observed",
    "call",
    "source",
    "gap",
    "calibration",
    "setting",
    "putback",
    "slow_play",
    "unjudged",
    "resumed",
    "aside",
)
"""Lines of the desk beside the match's own ``shot`` and ``official``."""
