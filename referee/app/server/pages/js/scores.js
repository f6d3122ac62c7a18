// Which number stands largest for a side.

/** Games in which a rack has no points of its own: what counts is racks won. */
export const BY_RACKS = ["8-ball", "9-ball"];

export const mainScore = (board, side) => (BY_RACKS.includes(board.game) ? board.frames : board.score)[side];
