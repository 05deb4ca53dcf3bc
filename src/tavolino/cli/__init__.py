"""The command line. Each sub-command is a module of its own, imported only when it is called."""

import sys
from collections.abc import Sequence
from contextlib import suppress


def main(arguments: Sequence[str] | None = None) -> int:
    """The command `tavolino`; returns its exit code."""
    if list(sys.argv[1:] if arguments is None else arguments) == ["--version"]:  # without importing anything for it
        from tavolino.version import VERSION

        with suppress(OSError):  # an output that cannot be written is handled below
            print(f"tavolino {VERSION}", flush=True)
            return 0
    from tavolino.engine.portable import prefer_portable_code

    prefer_portable_code()  # before anything imports Numba
    from tavolino.engine.modes import UnknownMode, chosen_mode

    try:
        chosen_mode()
    except UnknownMode as problem:
        print(f"tavolino: {problem}", file=sys.stderr)
        return 2
    from tavolino.cli.commands import run

    return run(arguments)
