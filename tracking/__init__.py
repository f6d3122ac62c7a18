"""What happened: ball paths over time and the events derived from them."""
