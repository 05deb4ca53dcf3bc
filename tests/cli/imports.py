"""The imports of the process from which terminals are forked; like the command, it prefers portable code."""

from tavolino.engine.portable import prefer_portable_code

prefer_portable_code()  # before anything imports Numba

import tavolino.cli.play  # noqa: E402
import tavolino.cli.replay  # noqa: E402, F401
from tavolino.bots.warmup import Part, compile_part  # noqa: E402
from tavolino.games import games  # noqa: E402

for game in games():
    compile_part(Part(game, "rules"))
