"""What learners observe of Splendor: Marvel is what a view and a notebook say."""

import tavolino
from tavolino.engine.reading import read
from tests.random_tables import clockwise, component, random_tables, shown


def test_splendor_reads_as_its_view() -> None:
    game = tavolino.load("splendor-marvel")
    cards = list(game.parts["cards"])
    for table, _ in random_tables(game, share=0.05):
        players = table.setting.players
        for seat in range(players):
            view = shown(table, seat)
            seats = clockwise(table, seat, view["seats"])
            assert component(table, seat, "bank") == list(view["bank"].values())
            tokens = [count for each in seats for count in each["tokens"].values()]
            assert component(table, seat, "tokens")[: len(tokens)] == tokens
            assert component(table, seat, "points")[:players] == [each["points"] for each in seats]
            face_up = {card for row in view["rows"].values() for card in row}
            assert component(table, seat, "face_up") == [int(card in face_up) for card in cards]
            reserved = component(table, seat, "reserved")
            hidden = component(table, seat, "hidden")
            for distance, each in enumerate(seats):
                known = {place["card"] for place in each["reserved"]} - {None}
                flags = reserved[distance * len(cards) : (distance + 1) * len(cards)]
                assert flags == [int(card in known) for card in cards]
                unknown = [place["level"] for place in each["reserved"] if place["card"] is None]
                assert hidden[distance * 3 : distance * 3 + 3] == [unknown.count(level) for level in (1, 2, 3)]
            unseen = game.notebook(read(table.states), seat)["unseen"]
            assert component(table, seat, "unseen") == [int(card in unseen) for card in cards]
