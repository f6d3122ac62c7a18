"""The games that can be judged: add a line for each new one."""

from referee.rules.engine import Game
from referee.rules.pyramid import CombinedPyramid
from referee.rules.snooker import Snooker

GAMES: dict[str, Game] = {game.name: game for game in (Snooker(), CombinedPyramid())}
