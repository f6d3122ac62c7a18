"""The newest picture is left out when too much waits, and what was left out is told in its place."""

import threading
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from referee.app.live.inbox import Ended, Inbox, Message, Missed, Picture
from referee.app.live.state import Unseen
from vision.frames import Frame, FrameStamp

BGR = np.zeros((4, 4, 3), np.uint8)


def picture(t_s: float) -> Picture:
    stamp = FrameStamp(index=0, pts=0, time_base=Fraction(1, 90_000), t_s=t_s)
    return Picture(frame=Frame(stamp=stamp, bgr=BGR), captured_s=t_s, connection=1)


def begun(most_s: float) -> Inbox:
    """An inbox whose taker has had its first look."""
    inbox = Inbox(most_s)
    for t_s in (0.0, 0.1):
        inbox.put(picture(t_s))
        inbox.take(0)
    return inbox


def all_of(inbox: Inbox) -> list[Message]:
    found = []
    while (message := inbox.take(0)) is not None:
        found.append(message)
    return found


def times(messages: list[Message]) -> list[float]:
    return [message.t_s for message in messages if isinstance(message, Picture)]


def test_what_waits_is_never_longer_than_allowed_and_the_newest_is_left_out() -> None:
    inbox = begun(0.4)
    for k in range(2, 20):
        inbox.put(picture(k / 10))
    assert inbox.dropped == 13
    inbox.take(0)
    inbox.put(picture(2.0))
    inbox.put(picture(2.1))
    inbox.take(0)
    inbox.put(picture(2.2))
    messages = all_of(inbox)
    assert times(messages) == pytest.approx([0.4, 0.5, 0.6])
    for k in (23, 24):
        inbox.put(picture(k / 10))
    messages = all_of(inbox)
    assert messages[0] == Missed(t0_s=0.6, t1_s=2.3, reason=Unseen.SLOW, frames=16)
    assert times(messages) == [2.3, 2.4]


def test_the_first_look_may_take_some_seconds_and_is_caught_up_with() -> None:
    inbox = Inbox(0.4)
    for k in range(21):
        inbox.put(picture(k / 10))
    assert inbox.dropped == 0
    assert len(all_of(inbox)) == 21
    for k in range(21, 41):
        inbox.put(picture(k / 10))
    assert inbox.dropped == 15


def test_a_patient_reader_waits_for_room() -> None:
    inbox = Inbox(0.4)
    thread = threading.Thread(target=lambda: [inbox.put(picture(k / 10), patient=True) for k in range(50)])
    thread.start()
    taken: list[Message] = []
    while len(taken) < 50:
        message = inbox.take(5.0)
        assert message is not None
        taken.append(message)
    thread.join()
    assert times(taken) == pytest.approx([k / 10 for k in range(50)])
    assert inbox.dropped == 0


def test_what_is_said_keeps_its_place_among_the_pictures_and_is_never_left_out() -> None:
    inbox = begun(0.2)
    for k in range(2, 9):
        inbox.put(picture(k / 10))
    inbox.say(Ended())
    assert isinstance(all_of(inbox)[-1], Ended)


def test_clearing_forgets_what_was_left_out_before() -> None:
    inbox = begun(0.2)
    for k in range(2, 9):
        inbox.put(picture(k / 10))
    epoch = inbox.clear()
    inbox.put(picture(1.0))  # its time was worked out for the match before
    inbox.put(replace(picture(0.0), epoch=epoch))
    assert times(all_of(inbox)) == [0.0]
