"""Words for what happened, in the languages of reports and overlays. (What the referee says comes with the verdict.)"""

import re
from typing import Any

LANGUAGES = ("en", "ru")

BALLS: dict[str, dict[str, str]] = {
    "en": {},
    "ru": {
        "cue": "биток",
        "red": "красный",
        "yellow": "жёлтый",
        "green": "зелёный",
        "brown": "коричневый",
        "blue": "синий",
        "pink": "розовый",
        "black": "чёрный",
        "solid": "сплошной",
        "stripe": "полосатый",
        "ball": "шар",
        "colour": "цветной",
        "solids": "сплошные",
        "stripes": "полосатые",
        "any": "любой",
    },
}
PLACES: dict[str, dict[str, str]] = {
    "en": {},
    "ru": {
        "bottom-left": "нижняя левая",
        "bottom-right": "нижняя правая",
        "middle-left": "средняя левая",
        "middle-right": "средняя правая",
        "top-left": "верхняя левая",
        "top-right": "верхняя правая",
        "bottom": "нижний",
        "top": "верхний",
        "left": "левый",
        "right": "правый",
    },
}
EVENTS: dict[str, dict[str, str]] = {
    "en": {
        "strike": "{ball} struck",
        "contact": "{first} hits {second}",
        "cushion": "{ball} off the {cushion} cushion",
        "crossed": "{ball} over the {line}",
        "pocket": "{ball} in the {pocket} pocket",
        "off_table": "{ball} off the table",
        "returned": "{ball} back on the table",
        "jump": "{ball} jumps {over}",
        "fell": "{ball} fell into the {pocket} pocket by itself",
        "moved": "{ball} moved, by {cause}",
        "rest": "all balls at rest",
    },
    "ru": {
        "strike": "удар: {ball}",
        "contact": "{first} — {second}: касание",
        "cushion": "{ball} — борт: {cushion}",
        "crossed": "{ball} — линия: {line}",
        "pocket": "{ball} — луза: {pocket}",
        "off_table": "{ball} — вне стола",
        "returned": "{ball} — снова на столе",
        "jump": "{ball} перепрыгнул: {over}",
        "fell": "{ball} упал сам — луза: {pocket}",
        "moved": "{ball} сдвинут: {cause}",
        "rest": "все шары остановились",
    },
}
QUESTIONS: dict[str, dict[str, str]] = {
    "en": {
        "first_contact": "which ball was hit first?",
        "potted": "what fell?",
        "pocket": "into which pocket?",
        "cushion_after_contact": "did a ball reach a cushion after the contact?",
        "ball_on": "what was on?",
        "identity": "which ball was it?",
        "striker": "whose turn was it?",
        "snookered": "snookered?",
        "angled": "angled?",
        "touching": "touching?",
        "jumped": "was it a jump?",
        "off_table": "did a ball leave the table?",
        "self_fell": "did it fall by itself?",
        "self_moved": "did it move by itself?",
        "spot_place": "where is it spotted?",
        "lag_winner": "who won the lag?",
        "called_ball": "which ball was called?",
        "nominated": "which ball was nominated?",
        "push_out": "was it a declared push-out?",
        "call_valid": "was the call good?",
        "group": "which group is it of?",
        "placed": "had the cue ball been placed?",
        "in_house": "was it in the house?",
        "all_in_house": "do all object balls lie in the house?",
        "left_house": "had the cue ball left the house?",
        "foot_cushion_first": "did the cue ball reach the foot cushion first?",
        "rack_area": "what is in the way of the rack?",
        "would_have_hit": "would it have been hit?",
        "missed_stroke": "the balls lie elsewhere than they were left: was a stroke missed?",
    },
    "ru": {
        "first_contact": "какого шара биток коснулся первым?",
        "potted": "что упало?",
        "pocket": "в какую лузу?",
        "cushion_after_contact": "был ли борт после касания?",
        "ball_on": "какой шар был очередным?",
        "identity": "какой это был шар?",
        "striker": "чей был удар?",
        "snookered": "есть ли маска?",
        "angled": "постановка за губу?",
        "touching": "шары соприкасаются?",
        "jumped": "был ли перескок?",
        "off_table": "покинул ли шар стол?",
        "self_fell": "шар упал сам?",
        "self_moved": "шар сдвинулся сам?",
        "spot_place": "куда ставится шар?",
        "lag_winner": "кто выиграл розыгрыш?",
        "called_ball": "какой шар был заказан?",
        "nominated": "какой шар был объявлен?",
        "push_out": "был ли объявлен пуш-аут?",
        "call_valid": "верен ли заказ?",
        "group": "из какой он группы?",
        "placed": "был ли биток уже поставлен?",
        "in_house": "был ли шар в доме?",
        "all_in_house": "все ли прицельные шары лежат в доме?",
        "left_house": "вышел ли биток из дома?",
        "foot_cushion_first": "коснулся ли биток сначала заднего борта?",
        "rack_area": "что мешает поставить пирамиду?",
        "would_have_hit": "попал бы биток в этот шар?",
        "missed_stroke": "шары лежат не там, где остановились: пропущен ли удар?",
    },
}
TERMS: dict[str, dict[str, str]] = {
    "en": {
        "score": "Score",
        "break": "Break",
        "on": "On",
        "to_play": "to play",
        "shot": "Shot",
        "legal": "no foul",
        "not_legal": "foul",
        "open": "for the referee",
        "assumed": "rests on an assumption",
        "question": "Question",
        "nothing_struck": "between strokes",
        "time": "Time",
        "event": "What happened",
        "certainty": "Certainty",
        "warnings": "What to know first",
        "balls": "Balls",
        "file": "File",
        "length": "Length",
        "calibration": "Calibration",
        "shots": "Shots",
        "no_shots": "No shot was seen in this clip.",
        "before": "before",
        "after": "after",
        "next": "Next",
        "unseen": "not seen",
        "frames": "frames",
        "by_markings": "by the markings",
        "by_points": "by named points",
        "by_file": "from a file",
    },
    "ru": {
        "score": "Счёт",
        "break": "Серия",
        "on": "Очередной",
        "to_play": "бьёт",
        "shot": "Удар",
        "legal": "без фола",
        "not_legal": "фол",
        "open": "решает рефери",
        "assumed": "основано на допущении",
        "question": "Вопрос",
        "nothing_struck": "между ударами",
        "time": "Время",
        "event": "Что произошло",
        "certainty": "Уверенность",
        "warnings": "Что знать сначала",
        "balls": "Шары",
        "file": "Файл",
        "length": "Длительность",
        "calibration": "Калибровка",
        "shots": "Удары",
        "no_shots": "В этом ролике ударов не видно.",
        "before": "до",
        "after": "после",
        "next": "Далее",
        "unseen": "не видно",
        "frames": "кадры",
        "by_markings": "по разметке",
        "by_points": "по указанным точкам",
        "by_file": "из файла",
    },
}


ASSUMED: tuple[tuple[str, str], ...] = (
    ("the clip begins with the opening stroke of a frame", "ролик начинается с первого удара партии"),
    ("the score counts from the start of the clip", "счёт ведётся с начала ролика"),
    (
        r"(?P<ball>\S+) was on in the first shot, though no ball is known to have been hit",
        "в первом ударе очередным был {ball}, хотя неизвестно, был ли задет шар",
    ),
    (
        "red was on in the first shot, since a red was hit first",
        "в первом ударе очередным был красный: первым задет красный",
    ),
    (
        r"(?P<ball>\S+) was on in the first shot, since it was hit first and is the lowest colour",
        "в первом ударе очередным был {ball}: он задет первым, и он младший из цветных",
    ),
    (
        r"a colour was on in the first shot, (?P<ball>\S+), since it was hit first",
        "в первом ударе очередным был цветной, {ball}: он задет первым",
    ),
    (
        r"a colour was on in the first shot, (?P<ball>\S+), since it was potted",
        "в первом ударе очередным был цветной, {ball}: он забит",
    ),
    (
        "the 8 was on in the first shot, since it was hit first and one group is gone",
        "в первом ударе очередным был 8: он задет первым, и одной группы уже нет",
    ),
    ("the table was open in the first shot", "в первом ударе стол был открыт"),
    (
        r"(?P<ball>\S+) were A's group in the first shot, since (?P<other>\S+) was hit first",
        "в первом ударе группа игрока A: {ball}, так как первым задет {other}",
    ),
    (
        "no push-out was open and no foul counted before the first shot",
        "до первого удара не было ни пуш-аута, ни фолов",
    ),
    ("no foul counted before the first shot", "до первого удара не было фолов"),
)
"""What an analysis assumes of the state before its first shot (``analyze.opening``), and the same in Russian."""


def assumed_words(text: str, lang: str) -> str:
    """An assumption in a language; one that isn't known stays as it is."""
    for pattern, russian in ASSUMED if lang == "ru" else ():
        found = re.fullmatch(pattern, text)
        if found is not None:
            return russian.format(**{name: ball_words(ball, lang) for name, ball in found.groupdict().items()})
    return text


def ball_words(name: str, lang: str) -> str:
    """``red-3`` → ``red 3``; a number stays a number."""
    head, _, number = name.partition("-")
    word = BALLS[lang].get(head, head)
    return f"{word} {number}" if number else word


def event_words(event: dict[str, Any], lang: str) -> str:
    """One event of a shot record in words."""
    fields: dict[str, str] = {key: ball_words(event[key], lang) for key in ("ball", "over") if key in event}
    for key in ("cushion", "pocket", "line", "cause"):
        if key in event:
            fields[key] = PLACES[lang].get(event[key], str(event[key]).replace("_", " "))
    if "balls" in event:
        fields["first"], fields["second"] = (ball_words(ball, lang) for ball in event["balls"])
    text = EVENTS[lang][event["kind"]].format(**fields)
    return text[:1].upper() + text[1:]


def question_words(question: dict[str, Any], lang: str) -> str:
    """An open question of a verdict in words, with its ball and its clause."""
    asked = QUESTIONS[lang].get(question["question"], str(question["question"]).replace("_", " ") + "?")
    ball = f"{ball_words(question['ball'], lang)}: " if question.get("ball") else ""
    return f"{ball}{asked} ({question['clause']})"
