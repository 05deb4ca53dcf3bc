"""The metadata of Mantis: players, options, the usual table."""

from tavolino.engine.meta import Meta
from tavolino.engine.options import Option
from tavolino.games.mantis.facts import PLAYERS

META = Meta(
    name="mantis",
    rules="2",
    older_rules=("1",),  # in version 1 the turn that a steal gives cannot be skipped (MA-41)
    players=PLAYERS,
    rule_prefix="MA",
    options={"first": Option("seat", 0), "icons": Option("switch", True)},
    simple_options={"icons": False},
    seats=4,
    minutes=(10, 20),
)
