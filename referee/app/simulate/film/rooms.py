"""Tables and rooms to choose from: cloths, woods, pockets and lamps that are met with."""

from dataclasses import replace

from calibration.tables import TableSpec
from referee.app.simulate.film.look import Look, lamp_row, spots

_CLUB = Look(
    cloth=(34, 118, 52),
    wood=(92, 46, 24),
    floor=(66, 44, 40),
    pocket=(58, 38, 24),
    plate=(120, 92, 52),
    line=(196, 214, 190),
    wear=0.5,
)
_BROADCAST = Look(
    cloth=(28, 166, 19),
    wood=(76, 26, 18),
    floor=(72, 74, 70),
    pocket=(206, 206, 190),
    plate=(196, 140, 72),
    line=(96, 184, 84),
    sights=False,
    net=True,
    chalks=0,
    round_mm=60.0,
    ambient=0.42,
    wear=0.1,
)
_ARENA = Look(
    cloth=(16, 168, 20),
    wood=(40, 18, 34),
    floor=(126, 22, 26),
    pocket=(224, 214, 186),
    plate=(230, 206, 150),
    line=(84, 190, 76),
    sights=False,
    net=True,
    chalks=0,
    round_mm=70.0,
    ambient=0.45,
    wear=0.15,
)
_TEAL = Look(
    lighting="spots",
    cloth=(110, 160, 142),
    wood=(88, 34, 34),
    floor=(20, 18, 20),
    pocket=(46, 40, 44),
    plate=(52, 48, 58),
    line=(46, 66, 66),
    ambient=0.4,
    casting="plastic",
    wear=0.5,
)
_BLUE = Look(
    cloth=(42, 128, 186),
    wood=(30, 28, 28),
    floor=(52, 60, 104),
    pocket=(20, 20, 22),
    plate=(26, 25, 26),
    line=(150, 186, 214),
    head_line=False,
    ambient=0.38,
    casting="plastic",
    wear=0.2,
)
_GREY = Look(
    cloth=(112, 122, 126),
    wood=(120, 82, 50),
    floor=(120, 112, 100),
    pocket=(24, 24, 24),
    plate=(176, 178, 182),
    line=(196, 200, 200),
    head_line=False,
    ambient=0.34,
    casting="metal",
    wear=0.4,
)
_GREEN = Look(
    cloth=(18, 120, 92),
    wood=(70, 40, 26),
    floor=(96, 92, 86),
    pocket=(28, 26, 26),
    plate=(60, 58, 58),
    line=(170, 206, 190),
    ambient=0.34,
    casting="plastic",
    wear=0.35,
)

ROOMS: dict[str, dict[str, Look]] = {
    "snooker": {"broadcast": _BROADCAST, "arena": _ARENA, "club": _CLUB, "teal": _TEAL},
    "pool": {"blue": _BLUE, "green": _GREEN, "teal": _TEAL, "grey": _GREY},
    "pyramid": {"green": _GREEN, "blue": _BLUE, "teal": _TEAL},
}
"""Rooms by the table's family; the first is the default."""


def room(name: str, spec: TableSpec) -> Look:
    """The look of that name for that table, with lamps over it; raises ValueError naming the choices."""
    choices = ROOMS[spec.family]
    if name not in choices:
        raise ValueError(f"no room {name!r} for {spec.family}; choose one of {', '.join(choices)}")
    height = 1900.0 if name in ("broadcast", "arena") else 1500.0 if spec.family == "snooker" else 1100.0
    lamps = lamp_row(spec.width_mm, spec.length_mm, 3 if spec.length_mm > 2600 else 2, height)
    if choices[name].lighting == "spots":
        lamps = spots(spec.width_mm, spec.length_mm, 1300.0)
    return replace(choices[name], lamps=lamps)
