"""``python -m referee``: the same as the command ``cueref``."""

from referee.app.cli import main

if __name__ == "__main__":
    main()
