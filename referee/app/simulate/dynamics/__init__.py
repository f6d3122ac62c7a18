"""Event-based dynamics of billiard balls: paths between events are exact, event times are polynomial roots."""
