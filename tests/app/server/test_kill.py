"""Killed at random moments, the server loses nothing that it accepted or announced, and announces nothing twice."""

import os
from pathlib import Path

from killing import play_and_kill


def test_a_killed_server_loses_nothing(tmp_path: Path) -> None:
    figures = play_and_kill(tmp_path, kills=int(os.environ.get("CUEREF_KILLS", "20")), seed=5)
    assert figures["accepted"] > 20 and figures["calls"] > 10
