"""What a ball's name says where balls are compared: its kind, and in pool its group."""

from vision.balls import group_of

INTERCHANGEABLE = frozenset({"red", "solid", "stripe", "ball"})
"""Kinds whose balls carry a running number that no picture shows."""


def kind(ball: str) -> str:
    """``red-3`` is a ``red``, ``solid-2`` a ``solid``; every other name is its own kind."""
    head, _, tail = ball.rpartition("-")
    return head if tail.isdigit() and head in INTERCHANGEABLE else ball


def group(ball: str) -> str:
    """In pool the group of a ball, numbered or not: ``cue``, ``8``, ``solid``, ``stripe``; else its kind."""
    return group_of(kind(ball))


def same_ball(said: str, true: str) -> bool:
    """Whether two names can mean one ball: by kind, and by group where one of them says no more than the group."""
    if kind(said) == kind(true):
        return True
    return group(said) == group(true) and bool({kind(said), kind(true)} & {"solid", "stripe"})
