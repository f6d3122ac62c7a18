"""The games that can be judged: add a line for each new one."""

from referee.rules.eight_ball import EightBall
from referee.rules.engine import Game
from referee.rules.nine_ball import NineBall
from referee.rules.pyramid import CombinedPyramid
from referee.rules.snooker import Snooker
from referee.rules.straight_pool import StraightPool

GAMES: dict[str, Game] = {
    game.name: game for game in (Snooker(), EightBall(), CombinedPyramid(), NineBall(), StraightPool())
}
