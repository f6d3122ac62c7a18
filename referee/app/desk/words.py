"""Words for what may be chosen, what somebody may have seen, and what is asked, in both languages."""

from typing import Any

from referee.app.words import LANGUAGES, ball_words, question_words
from referee.app.words import PLACES as PLACE_WORDS

OPTIONS: dict[str, dict[str, str]] = {
    "play_again": {"en": "the other side plays again from here", "ru": "соперник играет снова с этой позиции"},
    "replay": {"en": "put the balls back, the other side plays again", "ru": "вернуть шары, соперник играет снова"},
    "free_ball": {"en": "free ball", "ru": "свободный шар"},
    "from_D": {"en": "play from the D", "ru": "играть с руки из сектора D"},
    "accept": {"en": "play from here", "ru": "играть с этой позиции"},
    "rebreak": {"en": "rack again, the same player breaks", "ru": "новая пирамида, разбивает тот же игрок"},
    "rebreak_self": {"en": "rack again and break yourself", "ru": "новая пирамида, разбить самому"},
    "pass_back": {"en": "pass the shot back", "ru": "передать удар"},
    "spot_and_play": {"en": "spot the ball and play", "ru": "выставить шар и играть"},
    "house": {"en": "play from behind the head string", "ru": "играть из дома"},
    "spot_for_house": {"en": "have a ball spotted, play from the house", "ru": "выставить шар и играть из дома"},
    "break_self": {"en": "break yourself", "ru": "разбить самому"},
    "break_other": {"en": "give the break away", "ru": "отдать разбой"},
    "replay_frame": {"en": "play the frame again", "ru": "переиграть партию"},
    "take_ball": {"en": "take a ball", "ru": "взять шар"},
}
OBSERVED: dict[str, dict[str, str]] = {
    "foot_off": {"en": "no foot on the floor", "ru": "обе ноги оторваны от пола"},
    "tip_fault": {"en": "not struck with the tip", "ru": "удар не наклейкой"},
    "double_hit": {"en": "double hit", "ru": "двойной удар"},
    "push": {"en": "push", "ru": "проталкивание"},
    "touched": {"en": "ball touched", "ru": "шар задет"},
    "miscue": {"en": "miscue", "ru": "кикс"},
    "jump_method": {"en": "illegal jump", "ru": "запрещённый перескок"},
    "balls_moving": {"en": "struck while balls were moving", "ru": "удар при движущихся шарах"},
    "out_of_turn": {"en": "played out of turn", "ru": "удар вне очереди"},
    "bad_placement": {"en": "cue ball badly placed", "ru": "биток поставлен неверно"},
    "ball_misplaced": {"en": "ball wrongly spotted or not spotted", "ru": "шар не выставлен или выставлен неверно"},
    "used_out_ball": {"en": "a ball out of play was used", "ru": "использован шар вне игры"},
    "foreign_object": {"en": "ball off by a foreign object", "ru": "посторонний предмет"},
    "deliberate": {"en": "deliberate", "ru": "намеренно"},
    "interference": {"en": "interference", "ru": "помеха"},
    "miss": {"en": "miss", "ru": "промах"},
    "call_valid": {"en": "the call was good", "ru": "заказ был верен"},
    "not_a_stroke": {"en": "not a stroke", "ru": "это не удар"},
}
NEEDS: dict[str, tuple[str, ...]] = {
    "touched": ("ball", "by"),
    "out_of_turn": ("player",),
    "ball_misplaced": ("ball",),
    "used_out_ball": ("ball",),
    "foreign_object": ("ball", "what"),
    "deliberate": ("ball",),
    "interference": ("who", "balls"),
    "call_valid": ("value",),
}
"""What may be said with each kind of observation, contract section 4."""

OFFICIALS: dict[str, dict[str, str]] = {
    "toss": {"en": "won the toss", "ru": "выиграл жребий"},
    "lag": {"en": "won the lag", "ru": "выиграл розыгрыш"},
    "order": {"en": "order of play", "ru": "порядок ударов"},
    "choose": {"en": "chose", "ru": "выбор"},
    "concede": {"en": "conceded", "ru": "сдался"},
    "warn": {"en": "warning", "ru": "предупреждение"},
    "award": {"en": "awarded", "ru": "присуждено"},
    "disqualify": {"en": "disqualified", "ru": "дисквалифицирован"},
    "void": {"en": "frame void", "ru": "партия аннулирована"},
    "not_called": {"en": "foul called too late", "ru": "фол назван слишком поздно"},
    "restored": {"en": "balls put back", "ru": "шары возвращены"},
    "cannot_restore": {"en": "balls can't be put back", "ru": "шары вернуть нельзя"},
    "place_cue_ball": {"en": "cue ball placed", "ru": "биток поставлен"},
    "ask": {"en": "referee was asked", "ru": "вопрос рефери"},
    "shelf": {"en": "ball to the shelf", "ru": "шар на полку"},
    "penalty_ball": {"en": "penalty ball", "ru": "штрафной шар"},
    "correct": {"en": "record corrected", "ru": "запись исправлена"},
    "insert": {"en": "shot put in", "ru": "удар вставлен"},
    "undo": {"en": "taken back", "ru": "отменено"},
    "rack": {"en": "new rack", "ru": "новая пирамида"},
}
"""The lines of officials, contract section 4."""

YES_NO: dict[str, dict[bool, str]] = {"en": {True: "yes", False: "no"}, "ru": {True: "да", False: "нет"}}
PLACES: dict[str, dict[str, str]] = {
    "pocket": {"en": "in a pocket", "ru": "в лузе"},
    "off_table": {"en": "off the table", "ru": "вне стола"},
    "none": {"en": "none", "ru": "никакой"},
    "in_hand_house": {"en": "in hand, in the house", "ru": "с руки из дома"},
}


def question_text(question: dict[str, Any]) -> dict[str, str]:
    return {lang: question_words(question, lang) for lang in LANGUAGES}


ANSWERS: dict[str, dict[bool, dict[str, str]]] = {
    "spot_place": {
        True: {"en": "at its usual place, which is free", "ru": "на обычное место, оно свободно"},
        False: {"en": "elsewhere: something lies in the way", "ru": "в другое место: это занято"},
    },
}
"""Yes and no in the words of questions to which they are no answer."""


def choice_text(value: Any, question: str = "") -> dict[str, str]:
    """An answer that is possible, in words."""
    own = ANSWERS.get(question, {})
    if isinstance(value, bool) and value in own:
        return own[value]
    return {lang: _choice(value, lang) for lang in LANGUAGES}


def _choice(value: Any, lang: str) -> str:
    if isinstance(value, bool):
        return YES_NO[lang][value]
    if value is None or value in ([], ()):
        return PLACES["none"][lang]
    if isinstance(value, list | tuple):
        if all(isinstance(each, int | float) for each in value):
            return " · ".join(f"{each:.0f}" for each in value)
        return ", ".join(_choice(each, lang) for each in value)
    if isinstance(value, dict):
        return ", ".join(f"{ball_words(old, lang)} → {_choice(new, lang)}" for old, new in value.items()) or "="
    text = str(value)
    if text in PLACES:
        return PLACES[text][lang]
    return PLACE_WORDS[lang].get(text) or ball_words(text, lang)
