"""What must outlast a power cut."""

import os
from pathlib import Path


def sync(path: Path) -> None:
    """The file, or the names in the folder, are on the disk when this returns. Raises OSError."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
