"""``cueref benchmark``: films, analyzes and scores a suite, step by step, and compares the figures."""
