"""Frames with what was seen drawn over them, as the overlay draws it."""

from referee.app.analyze.calls import Call
from referee.app.overlay.drawing import LINGER_S, OverlayArtist
from referee.app.overlay.story import Story, tell_story
from referee.app.review.footage import Shown
from referee.app.review.places import calibrated
from referee.app.review.review import SAME_FRAME_S, Review
from referee.app.review.tracks import by_frame
from vision.frames import Pixels


def calls_of(review: Review, lang: str) -> list[Call]:
    """What was said in the corrected match, in a language."""
    said = ((each, tuple(each["announce"].get(lang) or ())) for each in review.calls())
    return [Call(t_s=each["t"], n=each["n"], words=words) for each, words in said if words]


def story_of(review: Review, t0_s: float, t1_s: float, lang: str) -> Story:
    """Events, calls and score of the corrected match, at least about a span of time."""
    folded = review.folded_about(t0_s, t1_s)
    shots = [record.to_json() for record in folded.records]
    timed = [(each.t_s, each.verdict) for each in folded.judged]
    return tell_story(shots, timed, calls_of(review, lang), lang)


def artist_at(review: Review, t_s: float, until_s: float, size: tuple[int, int], lang: str) -> OverlayArtist:
    """One that has followed the shot that runs at a time, or has just ended, from its start; it knows all that is to
    be told until another. Raises ReviewError."""
    story = story_of(review, t_s, until_s, lang)
    artist = OverlayArtist(calibrated(review, size), size, story, lang, review.game)
    running = story.shot_at(t_s, LINGER_S)
    if running is not None:
        for _, rows in by_frame(review.rows(story.spans[running][0], t_s - SAME_FRAME_S)):
            artist.follow(rows[0]["t"], rows)
    return artist


def draw_over(review: Review, shown: Shown, everything: bool) -> Pixels:
    """(height, width, 3) uint8 BGR: balls ringed and named; with everything paths, events and the call too."""
    rows = review.rows_at(shown.t_s)
    if everything:
        artist = artist_at(review, shown.t_s, shown.t_s, shown.frame.size, review.lang)
        whole = artist.draw(shown.frame.bgr, shown.t_s, rows)
    else:
        artist = OverlayArtist(
            calibrated(review, shown.frame.size), shown.frame.size, Story(), review.lang, review.game
        )
        whole = artist.draw(shown.frame.bgr, None, rows)
    return whole[:, : artist.width]
