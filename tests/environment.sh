# Sourced from the project's folder: makes .venv with cueref and its tools, once, and steps into it.
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
  echo "cueref needs Python 3.11 or newer; python3 here is $(python3 --version)" >&2
  exit 1
}
wanted=$(cksum pyproject.toml)
if [ ! -x .venv/bin/python ] || [ "$(cat .venv/installed 2>/dev/null)" != "$wanted" ]; then
  python3 -m venv .venv
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
  printf '%s' "$wanted" > .venv/installed
fi
. .venv/bin/activate
# OpenCV's wheel links against libGL and GLib, which a bare server or container lacks.
if ! python -c 'import cv2' 2>/dev/null; then
  if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    apt-get update -qq && apt-get install -y -qq --no-install-recommends libgl1 libglib2.0-0 >/dev/null
  fi
  python -c 'import cv2' || {
    echo "OpenCV could not be loaded: install libgl1 and libglib2.0-0 with your system's package manager" >&2
    exit 1
  }
fi
# The tests in a browser need one; without it they are skipped, so that a failure here fails nothing.
if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ] &&
  ! command -v chromium >/dev/null && ! command -v chromium-browser >/dev/null && ! command -v google-chrome >/dev/null
then
  { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; } >/dev/null 2>&1 ||
    echo "no Chromium could be installed: the tests in a browser are skipped" >&2
fi
