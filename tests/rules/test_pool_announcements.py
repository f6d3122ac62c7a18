"""What the referee says in 14.1 and 9-ball, in both languages, for each outcome."""

from typing import Any

import pytest
from play import confirm, cushion, hit, moved, official, potted, shot
from pool_play import call, crossed, in_9_ball, in_14_1, lying, nine, pot, seen, straight

from referee.match.log import Match

WRONG = shot(hit("3"), cushion("3"), before=lying(2, 3, 9))
GOOD = [hit("2"), cushion("2")]
FOULED = shot(hit("4"), before=lying(2, 4, 9), nominated=call(4))
NEAR = shot(hit("6"), cushion("6", "left"), before=lying(2, 4, b6=(70, 1200)), nominated={"safety": True})
WEAK = shot(crossed(), hit("1"), cushion("1"), before=lying(*range(1, 16), cue=(560, 480)))


def rerack(cue: tuple[float, float], ball: tuple[float, float]) -> dict[str, Any]:
    return pot(3, before=lying(3, b9=ball), after={"cue": list(cue), "9": list(ball)})


@pytest.mark.parametrize(
    ("state", "lines", "english", "russian"),
    [
        (straight((21, 5)), [pot(4, before=lying(2, 4, 9))], ["Twenty-two"], ["Двадцать два очка"]),
        (
            straight((31, 20)),
            [shot(hit("4"), potted("4"), before=lying(2, 4, 9))],
            ["Ball 4 spotted", "A thirty-one, B twenty"],
            ["Шар 4 выставлен", "Счёт: A тридцать один, B двадцать"],
        ),
        (
            straight((3, 0), fouls=(1, 0)),
            [FOULED],
            ["Foul, no cushion after the contact", "Minus one, on two fouls", "A two, B zero"],
            ["Фол, после касания нет ни падения, ни борта", "Минус одно очко, два фола подряд", "Счёт: A два, B ноль"],
        ),
        (
            straight((3, 0), fouls=(2, 0)),
            [FOULED],
            [
                "Foul, no cushion after the contact",
                "Third consecutive foul, minus fifteen, re-rack, A breaks",
                "Cue ball in hand behind the head string",
            ],
            [
                "Фол, после касания нет ни падения, ни борта",
                "Третий фол подряд, минус пятнадцать, новая пирамида, разбивает A",
                "Биток с руки из дома",
            ],
        ),
        (
            straight((20, 15)),
            [shot(hit("4"), cushion("4"), before=lying(2, 4), seen=[seen("deliberate", ball="4")])],
            ["Deliberate foul, minus sixteen: accept or re-rack?", "A four, B fifteen"],
            [
                "Умышленное нарушение, минус шестнадцать: принять позицию или новая пирамида?",
                "Счёт: A четыре, B пятнадцать",
            ],
        ),
        (
            straight((0, 0), opening=True),
            [WEAK],
            ["Breaking foul, minus two: accept or re-break?", "A minus two, B zero"],
            ["Неправильное разбитие, минус два: принять позицию или повторить?", "Счёт: A минус два, B ноль"],
        ),
        (
            straight((0, 0), opening=True),
            [WEAK, official("choose", player="B", option="rebreak")],
            ["Re-rack, A breaks", "Cue ball in hand behind the head string"],
            ["Новая пирамида, разбивает A", "Биток с руки из дома"],
        ),
        (
            straight((1, 2)),
            [NEAR],
            ["Safety", "Last safety on this ball", "A one, B two"],
            ["Отыгрыш", "Последний отыгрыш этим шаром", "Счёт: A один, B два"],
        ),
        (
            straight((1, 2), near_cushion={"ball": "6", "safeties": {"A": 1}}),
            [NEAR],
            ["Safety", "Ball frozen", "A one, B two"],
            ["Отыгрыш", "Шар считается на борту", "Счёт: A один, B два"],
        ),
        (
            straight((45, 2)),
            [rerack((200, 1400), (640, 1990))],
            ["Forty-six", "Fourteen balls, re-rack", "Ball 9 spotted"],
            ["Сорок шесть очков", "Четырнадцать шаров, установка пирамиды", "Шар 9 выставлен"],
        ),
        (
            straight((45, 2)),
            [official("cannot_restore")],
            ["New rack, lag for the break"],
            ["Новая пирамида, розыгрыш разбоя"],
        ),
        (
            straight((149, -2), frames_to_win=1),
            [pot(4, before=lying(2, 4, 9))],
            ["One hundred and fifty", "Game, A", "A wins by one game to zero"],
            ["Сто пятьдесят очков", "Партия, A", "Матч выиграл A, счёт один — ноль"],
        ),
        (
            straight(),
            [official("ask", player="A", about="difference")],
            ["Eleven points in it"],
            ["Разница одиннадцать очков"],
        ),
        (
            nine("push_out_open"),
            [shot(before=lying(1, 9), nominated={"push_out": True})],
            ["Push-out", "Play or pass?"],
            ["Пуш-аут", "Играете или уступаете?"],
        ),
        (
            nine("push_out_open"),
            [
                shot(before=lying(1, 9), nominated={"push_out": True}),
                official("choose", player="B", option="pass_back"),
            ],
            ["Passed back, A to play"],
            ["Ход уступлен, играет A"],
        ),
        (
            nine(fouls=(2, 0)),
            [official("warn", player="A", about="two_fouls")],
            ["You are on two fouls: A"],
            ["Предупреждение, два фола подряд: A"],
        ),
        (
            nine(fouls=(2, 0), warned={"A": True}),
            [WRONG],
            ["Foul, wrong ball first", "Third consecutive foul", "Loss of game, game to B"],
            ["Фол, первым задет не тот шар", "Третий фол подряд", "Партия проиграна, победитель — B"],
        ),
        (
            nine(),
            [shot(*GOOD, potted("9"), potted("cue"), before=lying(2, 9))],
            ["Foul, cue ball pocketed", "Ball 9 spotted", "Cue ball in hand"],
            ["Фол, биток в лузе", "Шар 9 выставлен", "Биток с руки"],
        ),
        (nine(breaker="A"), [official("cannot_restore")], ["Game replayed"], ["Партия переигрывается"]),
        (nine(breaker="A"), [official("void")], ["Game void, replay"], ["Партия недействительна, переигрывается"]),
        (
            nine("break"),
            [official("toss", winner="B")],
            ["B wins the toss", "Break, or give the break away?"],
            ["Жребий выиграл B", "Разбиваете или уступаете?"],
        ),
        (
            nine(),
            [shot(*GOOD, moved("9", "itself"), before=lying(2, 9), seen=[confirm("self_moved", True)])],
            ["Shot replayed"],
            ["Удар повторяется"],
        ),
        (
            nine(),
            [shot(moved("9", "outside"), strike=False, before=lying(2, 9))],
            ["Position restored"],
            ["Позиция восстановлена"],
        ),
        (nine(), [official("concede", player="A")], ["Game conceded, game to B"], ["Поражение признано, партия — B"]),
    ],
)
def test_what_is_said(
    state: dict[str, Any], lines: list[dict[str, Any]], english: list[str], russian: list[str]
) -> None:
    judge = in_14_1 if "14.1" in state else in_9_ball
    assert judge(state, *lines)["announce"] == {"en": english, "ru": russian}


def test_nothing_is_said_of_what_is_still_undecided() -> None:
    doubt = shot(hit("2"), cushion("2", confidence=0.4), before=lying(2, 9))
    assert in_9_ball(nine(), doubt)["announce"] == {"en": [], "ru": []}


def test_a_correction_takes_back_what_was_said() -> None:
    match = Match.from_case("9-ball", nine())
    match.add({**WRONG, "n": 1})
    line = match.add(official("correct", n=1, record={**shot(*GOOD, before=lying(2, 3, 9)), "n": 1}))
    assert line.verdict["retracted"] and line.verdict["legal"] is True
