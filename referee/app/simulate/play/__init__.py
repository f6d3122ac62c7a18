"""A simulated player: layouts, aiming, choice of shots, and the course of a game."""
