"""Kuhn poker before its rules are loaded."""

from tavolino.engine.meta import Meta
from tavolino.engine.options import Option

META = Meta(
    name="kuhn-poker",
    rules="1",
    players=range(2, 3),
    rule_prefix="KP",
    options={"first": Option("seat", 0)},
    minutes=(1, 2),
    payoffs=(-2.0, 2.0),
    zero_sum=True,
)
