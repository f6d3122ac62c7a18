"""How well an analysis agrees with a truth: the figures of ``cueref score``."""
