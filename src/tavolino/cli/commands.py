"""The sub-commands, and the exit code of a call.

Exit code 0: success; 2: wrong use; 1: failure; both of the latter with one sentence on stderr.
"""

import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Annotated

import typer

from tavolino.cli.errors import INTERRUPTED, Failure, WrongUse, sentence_of
from tavolino.cli.streams import NO_ROOM, drop_output, printable, set_encodings
from tavolino.engine.extras import MissingExtra
from tavolino.engine.modes import NoCodeAhead
from tavolino.games import games
from tavolino.version import VERSION

# Each name is a module beside this one with a function of the same name: tavolino.cli.play:play. `-` is `_` there.
COMMANDS = (
    "serve", "site", "warmup", "compile", "play", "simulate", "arena", "tournament", "balance", "evaluate",
    "beliefs-bench", "export", "train", "replay", "review", "puzzles", "verify", "mcp", "new-game", "check-game",
    "backup", "restore", "move-data", "doctor", "admin", "announce", "open-tournament",
    "tournament-games",
)  # fmt: skip


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    try:
        set_encodings()  # this writes what is buffered
        return _code_of(words)
    except BrokenPipeError:  # the reader has closed the pipe
        drop_output()
        return 1
    except OSError as problem:
        if problem.errno not in NO_ROOM:
            raise
        drop_output()
        return _report(f"The output could not be written: {problem.strerror}.", 1)


def _code_of(words: list[str]) -> int:
    """Execute the command; returns its exit code."""
    try:
        code = typer.main.get_command(application(words)).main(words, "tavolino", standalone_mode=False)
        sys.stdout.flush()
    except WrongUse as wrong:
        return _report(wrong, 2)
    except Failure as failure:
        return _report(failure, 1)
    except (MissingExtra, NoCodeAhead) as missing:
        return _report(missing, 1)
    except typer.TyperException as wrong:
        return _report(sentence_of(wrong), wrong.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    return code if isinstance(code, int) else 0


def application(words: Sequence[str]) -> typer.Typer:
    """The application with only the sub-command that is called, or with all for help and for unknown names."""
    app = typer.Typer(name="tavolino", add_completion=False, pretty_exceptions_enable=False)
    if words[0] == "--version":
        app.callback()(tavolino)
        return app
    app.callback(help=f"A small table for card games: {', '.join(games())}.")(tavolino)
    for name in [words[0]] if words[0] in COMMANDS else COMMANDS:
        function = name.replace("-", "_")
        app.command(name)(getattr(import_module(f"tavolino.cli.{function}"), function))
    return app


def _say_version(is_wanted: bool) -> None:
    if is_wanted:
        print(f"tavolino {VERSION}")
        raise typer.Exit


def tavolino(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_say_version, is_eager=True)
    ] = False,
) -> None:
    """A small table for card games."""


def _report(sentence: object, code: int) -> int:
    """Print an error. Output is flushed first, so that it comes before the error."""
    sys.stdout.flush()
    with suppress(OSError):  # stderr may be on the same full disk
        print(f"tavolino: {printable(str(sentence))}", file=sys.stderr)
    return code
