"""Positions of random games as tables in numbers, for the tests of this folder."""

import random
from collections.abc import Iterator, Mapping
from typing import Any

from tavolino.engine.game import Game
from tavolino.engine.reading import read
from tavolino.engine.testing import random_options
from tavolino.research.table import Setting, Table


def random_tables(
    game: Game, games_each: int = 1, share: float = 1.0, keeps_log: bool = True
) -> Iterator[tuple[Table, random.Random]]:
    """The positions of random games with every number of players and random options; a part of them by chance.

    The last position of each game is always there. The table goes on by itself, so keep a clone of what matters.
    """
    for players in game.players:
        for number in range(games_each):
            chance = random.Random(f"{game.name} {players} {number}")
            setting = Setting(game.name, players, random_options(game, players, chance), keeps_log)
            table = Table(setting)
            table.begin(f"research {players} {number}")
            while table.to_act >= 0:
                if chance.random() < share:
                    yield table, chance
                table.play(chance.choice(table.legal()))
            yield table, chance


def component(table: Table, seat: int, name: str) -> list[int]:
    """A named slice of what a seat observes."""
    part = table.setting.encoding.slice_of(name)
    return [int(number) for number in table.encode(seat)[0][part]]


def shown(table: Table, seat: int) -> Mapping[str, Any]:
    """The game's part of a seat's view."""
    return table.setting.game.view(read(table.states), seat)


def clockwise(table: Table, seat: int, things: list[Any]) -> list[Any]:
    return things[seat:] + things[:seat]
