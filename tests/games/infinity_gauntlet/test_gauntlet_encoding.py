"""What learners observe of Infinity Gauntlet is what a view says, and the sets of what each hidden place can hold."""

import pytest

import tavolino
from tavolino.engine.reading import read
from tavolino.research.encodings import encoding_of
from tests.random_tables import clockwise, component, random_tables, shown

pytestmark = pytest.mark.plain


def test_infinity_gauntlet_reads_as_its_view_and_sets() -> None:
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
            hands = clockwise(table, seat, table.states[0]["hand_can"][seat, :players].tolist())
            can_hold, holds = component(table, seat, "can_hold"), component(table, seat, "holds")
            for distance, hand in enumerate(hands):
                part = slice(distance * len(cards), (distance + 1) * len(cards))
                assert can_hold[part] == [int(any(can >> n & 1 for can in hand)) for n in range(len(cards))]
                assert holds[part] == [hand.count(1 << n) for n in range(len(cards))]
            deck = table.states[0]["deck_can"][seat, 0, : view["decks"]["hero"]].tolist()
            flags = [can >> n & 1 for can in reversed(deck) for n in range(16)]
            assert component(table, seat, "hero_deck_can")[: len(flags)] == flags


def test_a_learner_is_shown_at_least_what_the_notebook_takes_for_possible() -> None:
    """The notebook is exact; a learner sees sets that are kept quickly and can hold more, never less."""
    game = tavolino.load("infinity-gauntlet")
    cards = list(game.parts["cards"])
    wider = 0
    for table, chance in random_tables(game, games_each=2, share=0.1):
        seat = chance.randrange(table.setting.players)
        can_hold, holds = component(table, seat, "can_hold"), component(table, seat, "holds")
        for distance, hand in enumerate(
            clockwise(table, seat, game.notebook(read(table.states), seat)["places"]["hands"])
        ):
            for n, card in enumerate(cards):
                can, known = can_hold[distance * len(cards) + n], holds[distance * len(cards) + n]
                assert can >= any(card in place for place in hand)
                assert known <= sum(place == [card] for place in hand)
                wider += can > any(card in place for place in hand)
    assert wider > 0
