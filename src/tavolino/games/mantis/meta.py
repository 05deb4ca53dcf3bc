"""Mantis before its rules are loaded: players, options, the usual table."""

from tavolino.engine.meta import Meta
from tavolino.engine.options import Option
from tavolino.games.mantis.facts import PLAYERS

META = Meta(
    name="mantis",
    rules="2",
    older_rules=("1",),  # there the turn that a steal has brought cannot be left out (MA-41)
    players=PLAYERS,
    rule_prefix="MA",
    options={"first": Option("seat", 0), "icons": Option("switch", True)},
    seats=4,
    minutes=(10, 20),
)
