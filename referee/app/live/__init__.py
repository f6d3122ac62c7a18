"""The table watched as it is played: sources, the reader, the recorder, the eye, and ``cueref live``."""
