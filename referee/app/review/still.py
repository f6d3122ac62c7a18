"""One frame with its balls ringed and named, as the overlay draws them."""

from referee.app.overlay.drawing import OverlayArtist
from referee.app.overlay.story import Story
from referee.app.review.footage import Shown
from referee.app.review.places import calibrated
from referee.app.review.review import Review
from vision.frames import Pixels


def draw_balls(review: Review, shown: Shown) -> Pixels:
    """(height, width, 3) uint8 BGR: the overlay's picture without its panel. Raises ReviewError."""
    artist = OverlayArtist(calibrated(review), shown.frame.size, Story(), review.lang, review.game)
    whole = artist.draw(shown.frame.bgr, None, review.rows_at(shown.t_s))
    return whole[:, : artist.width]
