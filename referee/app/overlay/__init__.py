"""``overlay.mp4``: the footage with what was seen, what happened and what the referee said drawn over it."""
