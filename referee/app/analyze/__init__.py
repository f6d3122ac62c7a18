"""``cueref analyze``: footage in, a folder of calibration, tracks, shots, verdicts and calls out."""
