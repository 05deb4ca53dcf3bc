"""What learners observe of Infinity Gauntlet is what a view and a notebook say."""

import tavolino
from tavolino.engine.reading import read
from tavolino.research.encodings import encoding_of
from tests.random_tables import clockwise, component, random_tables, shown


def test_infinity_gauntlet_reads_as_its_view_and_notebook() -> None:
    game = tavolino.load("infinity-gauntlet")
    cards = list(game.parts["cards"])
    assert encoding_of(game.name).has_knowledge
    for table, _ in random_tables(game, share=0.1):
        players = table.setting.players
        for seat in range(players):
            view = shown(table, seat)
            seats = clockwise(table, seat, view["seats"])
            assert component(table, seat, "hand") == [seats[0]["hand"].count(card) for card in cards]
            face_up = [card for each in seats for card in each["face_up"]]
            assert component(table, seat, "face_up") == [face_up.count(card) for card in cards]
            assert component(table, seat, "life") == list(view["life"].values())
            assert component(table, seat, "tokens")[:players] == [each["tokens"] for each in seats]
            places = game.notebook(read(table.states), seat)["places"]
            hands = clockwise(table, seat, places["hands"])
            can_hold, holds = component(table, seat, "can_hold"), component(table, seat, "holds")
            for distance, hand in enumerate(hands):
                part = slice(distance * len(cards), (distance + 1) * len(cards))
                assert can_hold[part] == [int(any(card in place for place in hand)) for card in cards]
                assert holds[part] == [sum(place == [card] for place in hand) for card in cards]
            deck = places["decks"]["hero"]
            flags = [int(card in place) for place in deck for card in cards[:16]]
            assert component(table, seat, "hero_deck_can")[: len(flags)] == flags
