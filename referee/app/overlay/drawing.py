"""One frame of the overlay: the picture with rings, names and trails, and beside it the drawn table and the score."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np

from calibration.result import Calibration
from referee.app.names import kind
from referee.app.overlay.drawn_table import DrawnTable, shaded
from referee.app.overlay.story import Board, Moment, Story
from referee.app.overlay.text import BOLD, Picture, fitted, put_panel, put_text, text_width, wrapped
from referee.app.palette import CLOTH, Colour, ball_colour, bgr
from referee.app.words import TERMS, ball_words
from vision.frames import Pixels

INK: Colour = (236, 238, 232)
DIM: Colour = (150, 156, 150)
RESTING: Colour = (206, 212, 204)
PANEL: Colour = (18, 22, 24)
TONES: dict[str, Colour] = {"good": (70, 190, 120), "foul": (232, 76, 61), "open": (242, 184, 60)}
LINGER_S = 1.5
RING_S = 0.5
_SHIFT = 4
Row = dict[str, Any]


@dataclass(slots=True)
class _Trail:
    """Where a ball has been in the running shot: px in the overlay, and mm."""

    px: deque[tuple[float, float]] = field(default_factory=lambda: deque(maxlen=600))
    mm: deque[tuple[float, float]] = field(default_factory=lambda: deque(maxlen=600))


class OverlayArtist:
    """Draws the frames of one clip in order. ``height``, ``width``: of the overlay's picture, without the panel."""

    def __init__(self, calibration: Calibration, size: tuple[int, int], story: Story, lang: str, game: str) -> None:
        self.calibration, self.story, self.lang, self.game = calibration, story, lang, game
        source_width, source_height = size
        self.height = min(max(source_height, 540), 1080) // 2 * 2
        self.zoom = self.height / source_height
        self.width = round(source_width * self.zoom) // 2 * 2
        self.unit = self.height / 720
        self.table = DrawnTable(calibration.table, round(0.62 * self.height))
        self._seen_cloth = False
        self.panel_width = (self.table.width + 2 * round(16 * self.unit)) // 2 * 2
        self._trails: dict[str, _Trail] = {}
        self._shot: int | None = None
        self._next_moment = 0
        self._live: list[tuple[Moment, float, float, float, float]] = []
        self._feed: deque[Moment] = deque(maxlen=12)

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) of the overlay in px, both even."""
        return self.width + self.panel_width, self.height

    def follow(self, t_s: float, rows: Sequence[Row]) -> None:
        """Takes in an earlier frame without drawing it, for the paths and events in those that come."""
        self._follow(t_s, self._placed(rows))

    def draw(self, bgr_picture: Pixels, shown_s: float | None, rows: Sequence[Row]) -> Picture:
        """The overlay's frame for a picture shown at this time (None: a still) and the rows of its tracks."""
        t_s = shown_s or 0.0
        if not self._seen_cloth and rows:
            self._seen_cloth = True
            self.table = DrawnTable(self.calibration.table, self.table.height, self._cloth(bgr_picture))
        balls = self._placed(rows)
        self._follow(t_s, balls)
        picture = self._scaled(bgr_picture)
        self._draw_trails(picture, t_s)
        for ball in balls:
            self._draw_ball(picture, ball)
        self._draw_rings(picture, t_s)
        self._draw_call(picture, t_s)
        whole: Picture = np.empty((self.height, self.width + self.panel_width, 3), np.uint8)
        whole[:, : self.width] = picture
        clock = "" if shown_s is None else f"{int(max(t_s, 0) // 60)}:{max(t_s, 0) % 60:05.2f}"
        self._draw_side(whole[:, self.width :], t_s, balls, clock)
        return whole

    def _cloth(self, picture: Pixels) -> Colour:
        """The cloth's colour in the picture, darkened so that balls and lines stand out from it."""
        table = self.calibration.table
        x, y = np.meshgrid(np.linspace(0.1, 0.9, 12) * table.width_mm, np.linspace(0.1, 0.9, 24) * table.length_mm)
        uv = self.calibration.camera.project(np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)]))
        height, width = picture.shape[:2]
        inside = (uv >= 0).all(axis=1) & (uv < (width - 1, height - 1)).all(axis=1)
        if not inside.any():
            return CLOTH
        columns, rows = np.round(uv[inside]).astype(int).T
        blue, green, red = np.median(picture[rows, columns], axis=0)
        brightness = max(1.0, float(max(blue, green, red)))
        return shaded((round(red), round(green), round(blue)), min(1.0, 110.0 / brightness))

    def _scaled(self, picture: Pixels) -> Picture:
        if picture.shape[:2] == (self.height, self.width):
            return picture.copy()
        shrinks = self.zoom < 1
        scaled = cv2.resize(
            picture, (self.width, self.height), interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC
        )
        return np.asarray(scaled, dtype=np.uint8)

    def _placed(self, rows: Sequence[Row]) -> list[Row]:
        """The balls on the table, each with ``px`` and ``r`` in the overlay."""
        here = [row for row in rows if row["x"] is not None]
        if not here:
            return []
        radius_mm = self.calibration.table.ball_radius_mm
        xyz = np.array([[row["x"], row["y"], radius_mm] for row in here])
        uv = self.calibration.camera.project(xyz)
        r = self.calibration.camera.sphere_radius_px(xyz, radius_mm) * self.zoom
        out = []
        for row, (u, v), size in zip(here, uv, r, strict=True):
            at = (row["u"], row["v"]) if row["u"] is not None else (float(u), float(v))
            # The centre of pixel (0, 0) of the input lies half a scaled pixel from the overlay's corner.
            px = tuple((value + 0.5) * self.zoom - 0.5 for value in at)
            out.append({**row, "px": px, "r": float(size)})
        return out

    # ------------------------------------------------------------------------------------------ what goes on

    def _follow(self, t_s: float, balls: Sequence[Row]) -> None:
        shot = self.story.shot_at(t_s, LINGER_S)
        if shot != self._shot:
            self._shot = shot
            self._trails.clear()
        if shot is not None and t_s <= self.story.spans[shot][1]:
            for ball in balls:
                if ball["state"] == "moving":
                    trail = self._trails.setdefault(ball["ball"], _Trail())
                    trail.px.append(ball["px"])
                    trail.mm.append((ball["x"], ball["y"]))
        moments = self.story.moments
        places = {ball["ball"]: ball for ball in balls}
        while self._next_moment < len(moments) and moments[self._next_moment].t_s <= t_s:
            moment = moments[self._next_moment]
            self._next_moment += 1
            self._feed.append(moment)
            place = self._place_of(moment, places)
            if place is not None:
                self._live.append((moment, *place))
        self._live = [each for each in self._live if t_s - each[0].t_s < RING_S]

    def _place_of(self, moment: Moment, balls: dict[str, Row]) -> tuple[float, float, float, float] | None:
        """u, v in the overlay and x, y in mm of where an event happened."""
        if moment.pocket is not None:
            x, y = self.calibration.table.pocket_corners()[moment.pocket]
            u, v = self.calibration.camera.project(np.array([[x, y, 0.0]]))[0]
            return (u + 0.5) * self.zoom - 0.5, (v + 0.5) * self.zoom - 0.5, x, y
        seen = [balls[name] for name in moment.balls if name in balls]
        if not seen:
            return None
        u, v = np.mean([ball["px"] for ball in seen], axis=0)
        x, y = np.mean([(ball["x"], ball["y"]) for ball in seen], axis=0)
        return float(u), float(v), float(x), float(y)

    # ------------------------------------------------------------------------------------------ in the picture

    def _draw_trails(self, picture: Picture, t_s: float) -> None:
        if not self._trails or self._shot is None:
            return
        since = max(0.0, t_s - self.story.spans[self._shot][1])
        alpha = 0.6 * max(0.0, 1.0 - since / LINGER_S)
        if alpha <= 0.02:
            return
        layer = picture.copy()
        thick = max(1, round(2 * self.unit))
        for name, trail in self._trails.items():
            if len(trail.px) > 1:
                line = np.round(np.array(trail.px) * 16).astype(np.int32)
                cv2.polylines(layer, [line], False, bgr(_bright(ball_colour(name))), thick, cv2.LINE_AA, _SHIFT)
        cv2.addWeighted(layer, alpha, picture, 1 - alpha, 0, dst=picture)

    def _draw_ball(self, picture: Picture, ball: Row) -> None:
        colour = _bright(ball_colour(ball["ball"]))
        (u, v), moving = ball["px"], ball["state"] == "moving"
        centre = round(u * 16), round(v * 16)
        radius = round((ball["r"] + 1.5 * self.unit) * 16)
        thick = max(1, round((2 if moving else 1) * self.unit))
        if ball["state"] == "hidden" or not ball["visible"]:
            axes = (radius, radius)
            for start in range(0, 360, 60):
                cv2.ellipse(picture, centre, axes, 0, start, start + 30, bgr(colour), thick, cv2.LINE_AA, _SHIFT)
        else:
            cv2.circle(picture, centre, radius, (0, 0, 0), thick + 2, cv2.LINE_AA, _SHIFT)
            cv2.circle(picture, centre, radius, bgr(colour), thick, cv2.LINE_AA, _SHIFT)
        name = ball["ball"]
        text = ball_words(name, self.lang)
        if not moving and kind(name) != name:
            text = name.rpartition("-")[2]
        size = round((15 if moving else 12) * self.unit)
        at = u + 0.75 * ball["r"] + 2, v - ball["r"] - 1.2 * size
        put_text(picture, text, *at, size, INK if moving else RESTING, weight=BOLD, halo=True)

    def _draw_rings(self, picture: Picture, t_s: float) -> None:
        for moment, u, v, _, _ in self._live:
            age = (t_s - moment.t_s) / RING_S
            colour = {"contact": (255, 255, 255), "pocket": (120, 255, 160), "strike": (255, 224, 120)}.get(
                moment.kind, (140, 210, 255)
            )
            radius = round((8 + 26 * age) * self.unit * 16)
            shade = tuple(round(value * (1 - 0.6 * age)) for value in bgr(colour))
            cv2.circle(picture, (round(u * 16), round(v * 16)), radius, shade, 2, cv2.LINE_AA, _SHIFT)

    def _draw_call(self, picture: Picture, t_s: float) -> None:
        call = self.story.call_at(t_s)
        if call is None:
            return
        board = self.story.board_at(t_s)
        tone = TONES[board.tone if board is not None else "good"]
        size = round(30 * self.unit)
        lines = wrapped(call.text, size, round(self.width * 0.8), BOLD)
        width = max(text_width(line, size, BOLD) for line in lines) + round(44 * self.unit)
        line_height = round(size * 1.3)
        height = line_height * len(lines) + round(20 * self.unit)
        rise = min(1.0, (t_s - call.t_s) / 0.2)
        x0 = (self.width - width) // 2
        y0 = self.height - round((height + 24 * self.unit) * rise)
        put_panel(picture, x0, y0, x0 + width, y0 + height, (12, 14, 16), 0.82)
        put_panel(picture, x0, y0, x0 + round(6 * self.unit), y0 + height, tone, 1.0)
        for i, line in enumerate(lines):
            x = x0 + (width - text_width(line, size, BOLD)) / 2
            put_text(picture, line, x, y0 + 8 * self.unit + i * line_height, size, INK, weight=BOLD)

    # ------------------------------------------------------------------------------------------ beside it

    def _draw_side(self, side: Picture, t_s: float, balls: Sequence[Row], clock: str) -> None:
        side[:] = bgr(PANEL)
        margin = (self.panel_width - self.table.width) // 2
        top = self._draw_board(side, t_s, margin, clock)
        paths = [(name, list(trail.mm)) for name, trail in self._trails.items()]
        marks = [(x, y, (t_s - moment.t_s) / RING_S) for moment, _, _, x, y in self._live]
        drawn = self.table.draw([(ball["ball"], ball["x"], ball["y"]) for ball in balls], paths, marks)
        side[top : top + self.table.height, margin : margin + self.table.width] = drawn
        self._draw_feed(side, t_s, margin, top + self.table.height + round(8 * self.unit))

    def _draw_board(self, side: Picture, t_s: float, margin: int, clock: str) -> int:
        """The score; returns where the table begins."""
        unit, terms = self.unit, TERMS[self.lang]
        board = self.story.board_at(t_s)
        put_text(side, self.game, margin, 8 * unit, round(14 * unit), DIM)
        x = self.panel_width - margin - text_width(clock, round(14 * unit))
        put_text(side, clock, x, 8 * unit, round(14 * unit), DIM)
        if board is not None:
            self._draw_score(side, board, margin, round(28 * unit))
            on = ", ".join(ball_words(ball, self.lang) for ball in board.on)
            line = f"{terms['on']}: {on}" if on else ""
            if board.run:
                line += f"   {terms['break']}: {board.run}"
            width = self.panel_width - 2 * margin
            put_text(side, fitted(line, round(14 * unit), width), margin, 66 * unit, round(14 * unit), INK)
        return round(92 * unit)

    def _draw_score(self, side: Picture, board: Board, margin: int, y: int) -> None:
        size, x = round(24 * self.unit), float(margin)
        for player, points in board.score.items():
            text = f"{player} {points}"
            colour = INK if player == board.player else DIM
            if player == board.player:
                left, middle, half = x, y + 0.7 * size, 0.28 * size
                corners = [(left, middle - half), (left + 1.4 * half, middle), (left, middle + half)]
                cv2.fillConvexPoly(side, np.round(np.array(corners) * 16).astype(np.int32), bgr(INK), cv2.LINE_AA, 4)
                x += 2.2 * half
            put_text(side, text, x, y, size, colour, weight=BOLD)
            x += text_width(text, size, BOLD) + 18 * self.unit

    def _draw_feed(self, side: Picture, t_s: float, margin: int, top: int) -> None:
        size = round(13 * self.unit)
        line_height = round(size * 1.5)
        room = max(1, (self.height - top) // line_height)
        width = self.panel_width - 2 * margin
        for i, moment in enumerate(list(self._feed)[-room:]):
            fresh = t_s - moment.t_s < 1.5
            text = fitted(f"{moment.t_s:.2f}  {moment.text}", size, width)
            put_text(side, text, margin, top + i * line_height, size, INK if fresh else DIM)


def _bright(colour: Colour) -> Colour:
    """The colour, lightened where it is too dark to be seen on a cloth."""
    lift = max(0.0, 140 - max(colour)) / 255
    r, g, b = (round(value + (255 - value) * lift) for value in colour)
    return r, g, b
