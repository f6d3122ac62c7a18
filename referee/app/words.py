"""Words for what happened, in the languages of reports and overlays. (What the referee says comes with the verdict.)"""

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
    },
}


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
