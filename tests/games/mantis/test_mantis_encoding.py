"""What learners observe of Mantis is what a view and a notebook say."""

import tavolino
from tavolino.engine.reading import read
from tavolino.research.table import Setting, Table
from tests.random_tables import clockwise, component, random_tables, shown


def test_mantis_reads_as_its_view() -> None:
    game = tavolino.load("mantis")
    for table, _ in random_tables(game, share=0.1):
        players = table.setting.players
        for seat in range(players):
            view = shown(table, seat)
            seats = clockwise(table, seat, view["seats"])
            assert component(table, seat, "score")[:players] == [each["score"] for each in seats]
            tanks = [count for each in seats for count in each["tank"].values()]
            assert component(table, seat, "tank")[: len(tanks)] == tanks
            assert component(table, seat, "draw") == [view["draw"]["size"]]
            colours = list(game.parts["colours"])
            back = view["draw"]["back"] or []
            assert component(table, seat, "back") == [int(colour in back) for colour in colours]
            notebook = game.notebook(read(table.states), seat)
            assert component(table, seat, "unseen") == list(notebook["unseen_colours"].values())
            assert component(table, seat, "unseen_icons") == list(notebook["unseen_icons"].values())
            fronts = {card.partition(":")[0] for card in notebook["places"]["draw"]["top"]}
            assert component(table, seat, "can_be") == [int(colour in fronts) for colour in colours]


def test_actions_name_seats_by_their_distance() -> None:
    table = Table(Setting("mantis", 4, {"first": 3}))
    table.begin("distance")
    assert table.legal() == [0, 2, 3, 4]
    assert [table.action_text(3, action) for action in table.legal()] == ["score", "steal 0", "steal 1", "steal 2"]
