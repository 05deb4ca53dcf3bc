"""The metadata of Infinity Gauntlet: players, options, teams, the usual table."""

from tavolino.engine.meta import Meta, OneAgainstAll
from tavolino.engine.options import Option
from tavolino.games.infinity_gauntlet import facts

META = Meta(
    name="infinity-gauntlet",
    rules="1",
    players=facts.PLAYERS,
    rule_prefix="IG",
    options={
        "thanos": Option("seat", 0),
        "hero_life": Option("number", facts.HERO_LIFE, 1, facts.MOST_LIFE),
        "thanos_life": Option("number", None, 1, facts.MOST_LIFE, by_players=facts.THANOS_LIFE.__getitem__),
    },
    seats=4,
    minutes=(15, 25),
    teams=OneAgainstAll("thanos", "Thanos", "heroes"),
    talk="remarks",  # team mates may not say what they have seen
    talk_rule="IG-93",
)
