"""`tavolino warmup`: compiles everything in advance."""

import signal
import sys
import time
from typing import TYPE_CHECKING, Annotated

import typer

from tavolino.cli.errors import Failure
from tavolino.cli.option_values import check_game_name

if TYPE_CHECKING:
    from tavolino.bots.warmup import Progress


def warmup(
    games: Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", help="Which games; all by default.")] = None,
) -> None:
    """Compile the games, their bots and their simulation."""
    import tavolino
    from tavolino.bots.warmup import WarmupFailed, warm_all
    from tavolino.engine.cache_folder import prune_cache

    names = list(games or tavolino.games())
    for name in names:
        check_game_name(name)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that the processes end with this one
    began = time.monotonic()
    try:
        warm_all(_say, names)
    except WarmupFailed as failed:
        raise Failure(failed) from None
    prune_cache()
    print(f"All ready after {time.monotonic() - began:.1f} s.", file=sys.stderr)


def _say(progress: "Progress") -> None:
    if progress.seconds is None:
        print(f"{progress.game}: compiling ...", file=sys.stderr, flush=True)
    else:
        done = f"[{progress.ready}/{progress.total}]"
        print(f"{progress.game}: ready after {progress.seconds:.1f} s {done}", file=sys.stderr, flush=True)
