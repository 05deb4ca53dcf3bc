"""The command line. Each sub-command is a module of its own, imported only when it is called."""

from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """The command `tavolino`; returns its exit code."""
    from tavolino.engine.portable import prefer_portable_code

    prefer_portable_code()  # before anything imports Numba
    from tavolino.cli.commands import run

    return run(arguments)
