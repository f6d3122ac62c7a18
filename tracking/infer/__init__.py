"""What physically happened in one shot: one inference each for strike, contact, cushion, pocket, off table, rest."""
