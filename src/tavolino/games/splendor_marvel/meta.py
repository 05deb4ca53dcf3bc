"""The metadata of Splendor: Marvel: players, options, the usual table."""

from tavolino.engine.meta import Meta
from tavolino.engine.options import Option
from tavolino.games.splendor_marvel.facts import PLAYERS

META = Meta(
    name="splendor-marvel",
    rules="1",
    players=PLAYERS,
    rule_prefix="SM",
    options={"first": Option("seat", 0)},
    seats=3,
    minutes=(20, 30),
)
