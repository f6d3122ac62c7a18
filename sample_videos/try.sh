#!/bin/sh
# Sets up a private environment in .venv and analyzes the sample clip: sh sample_videos/try.sh
set -eu
cd "$(dirname "$0")/.."
. tests/environment.sh
cueref analyze sample_videos/red_and_black.mp4 --game snooker --out out --overlay --report
echo
echo "Open out/red_and_black/overlay.mp4 and out/red_and_black/report.html."
echo "How well it agrees with the clip's exact truth (cueref score):"
python - <<'PROGRAM'
import json
import subprocess
import sys

command = [sys.executable, "-m", "referee", "score", "out/red_and_black", "sample_videos/red_and_black.truth.json"]
figures = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
print("  balls in the first frame:", figures["count"]["found"], "of", figures["count"]["true"])
print("  position, median:", figures["tracking"]["position"]["median_mm"], "mm")
print("  verdicts right:", figures["verdicts"]["right"], "of", figures["verdicts"]["of"])
PROGRAM
