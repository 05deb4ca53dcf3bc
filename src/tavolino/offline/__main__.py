"""python -m tavolino.offline FOLDER [--plain] [GAME]...: builds the offline pack into a folder."""

import argparse
import sys
from pathlib import Path

from tavolino.aot.building import CannotBuild
from tavolino.games import games
from tavolino.offline.building import build
from tavolino.offline.modules import CannotFreeze


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tavolino.offline", description="Build the offline pack.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--plain", action="store_true", help="without compressed files, which take minutes")
    args = parser.parse_args()
    try:
        made = build(args.folder, args.games or games(), is_compressed=not args.plain)
    except (CannotBuild, CannotFreeze) as problem:
        print(f"tavolino: {problem}", file=sys.stderr)
        return 1
    print(f"the offline pack is in {made}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
