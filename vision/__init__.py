"""Where and which the balls are in one frame, in pixels and in millimetres on the table."""
