"""The command line. Each sub-command is a module of its own, imported only when it is called."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # as in tavolino/__init__.py
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """The command `tavolino`; returns its exit code."""
    if list(sys.argv[1:] if arguments is None else arguments) == ["--version"]:  # without importing anything for it
        from tavolino.version import VERSION

        try:
            print(f"tavolino {VERSION}", flush=True)
        except OSError:
            pass  # an output that cannot be written is handled below
        else:
            return 0
    from tavolino.engine.portable import prefer_portable_code

    prefer_portable_code()  # before anything imports Numba
    from tavolino.engine.modes import WrongChoice, chosen_mode

    try:
        chosen_mode()
    except WrongChoice as problem:
        print(f"tavolino: {problem}", file=sys.stderr)
        return 2
    from tavolino.cli.commands import run

    return run(arguments)
