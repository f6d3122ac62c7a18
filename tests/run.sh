#!/bin/sh
# Sets up a private environment in .venv and runs every check: sh tests/run.sh
set -eu
cd "$(dirname "$0")/.."
. tests/environment.sh
ruff check .
lint-imports
mypy
exec python -m pytest -n auto "$@"
