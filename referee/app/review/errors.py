"""What can go wrong in a review, each with one clear line for the user."""


class ReviewError(Exception):
    """The message says what is wrong with which input, and what to do."""


class NotThere(ReviewError):
    """There is no such review, shot, frame or file."""


class Overtaken(ReviewError):
    """Something else was accepted since the differences were shown."""


class VideoMissing(ReviewError):
    """The video isn't where it was when it was analyzed, or can't be read."""
