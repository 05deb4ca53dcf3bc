"""python -m tavolino.aot FOLDER [--target NAME]... [GAME]...: compiles games ahead of time into a folder."""

import argparse
import sys
from pathlib import Path

from tavolino.aot.building import CannotBuild, build, build_callers, build_here
from tavolino.aot.targets import TARGETS
from tavolino.engine import modes
from tavolino.games import games


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tavolino.aot", description="Compile games ahead of time.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--target", action="append", choices=tuple(TARGETS))
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_intermixed_args()  # options may stand between the folder and the games
    targets = [TARGETS[name] for name in args.target or [modes.platform_name()]]
    if args.here:
        build_here(args.games[0], targets, args.folder)
        return 0
    try:
        build_callers(targets, args.folder)
        build(args.games or games(), targets, args.folder)
    except CannotBuild as problem:
        print(f"tavolino: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
