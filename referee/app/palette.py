"""The colours in which balls and tables are drawn, in videos and in reports."""

from referee.app.names import group, kind

Colour = tuple[int, int, int]
"""Red, green, blue, 0 to 255."""

CLOTH: Colour = (34, 102, 68)
CUSHION: Colour = (26, 80, 53)
RAIL: Colour = (84, 52, 34)
MARKING: Colour = (196, 214, 200)
POCKET: Colour = (16, 16, 18)

_KINDS: dict[str, Colour] = {
    "cue": (250, 250, 244),
    "red": (206, 34, 44),
    "yellow": (246, 208, 50),
    "green": (22, 138, 78),
    "brown": (142, 84, 48),
    "blue": (46, 98, 210),
    "pink": (244, 146, 172),
    "black": (34, 34, 38),
    "8": (34, 34, 38),
    "solid": (214, 120, 60),
    "stripe": (120, 170, 220),
    "ball": (240, 234, 214),
}
_NUMBERS: tuple[Colour, ...] = (
    (246, 196, 40),
    (40, 80, 190),
    (214, 44, 44),
    (104, 52, 140),
    (240, 124, 36),
    (30, 122, 74),
    (134, 42, 46),
)


def ball_colour(name: str) -> Colour:
    """A ball's colour by its name; a stripe has the colour of its band."""
    number = int(name) if name.isdigit() else 0
    if 1 <= number <= 15 and number != 8:
        return _NUMBERS[(number - 1) % 8]
    return _KINDS.get(kind(name), (200, 200, 200))


def is_striped(name: str) -> bool:
    return group(name) == "stripe"


def bgr(colour: Colour) -> Colour:
    """In OpenCV's order."""
    return colour[2], colour[1], colour[0]


def css(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)
