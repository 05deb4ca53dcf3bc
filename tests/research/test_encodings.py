"""Observations, masks and actions of every game: within bounds, complete, and blind to what a seat cannot know."""

import numpy as np
import pytest
from random_tables import random_tables

import tavolino
from tavolino.engine.game import Game
from tavolino.engine.reading import read
from tavolino.research.encodings import Encoding, encoding_of
from tavolino.research.encodings.layout import Slice, offsets
from tavolino.research.table import Setting, Table


@pytest.fixture
def encoding(game: Game) -> Encoding:
    return encoding_of(game.name)


def test_the_slices_lie_one_after_the_other_and_fit_a_byte(encoding: Encoding) -> None:
    starts = offsets(encoding.slices)
    assert len(starts) == len(encoding.slices)
    assert list(starts.values()) == np.cumsum([0, *(part.length for part in encoding.slices)])[:-1].tolist()
    assert encoding.highest.shape == (encoding.size,)
    assert all(0 < part.highest <= 255 and part.meaning for part in encoding.slices)


def test_knowledge_comes_last(encoding: Encoding) -> None:
    assert encoding.has_knowledge == (encoding.game.name == "infinity-gauntlet")
    assert encoding.open_size + sum(p.length for p in encoding.slices if p.is_knowledge) == encoding.size
    with pytest.raises(ValueError, match="come last"):
        Encoding(
            game=encoding.game,
            version="x",
            slices=(Slice("known", 1, 1, "", is_knowledge=True), Slice("open", 1, 1, "")),
            actions=(),
            observe=encoding.observe,
        )


def test_the_ranges_of_actions_cover_the_flat_table(encoding: Encoding) -> None:
    at = 0
    for part in encoding.actions:
        assert part.first == at
        at += part.count
    assert at == encoding.action_count


def test_a_seats_numbers_and_the_rules_numbers_are_two_ways_to_count_the_same(encoding: Encoding) -> None:
    for players in encoding.game.players:
        to_rules, from_rules = encoding.turned(players)
        for seat in range(players):
            assert sorted(to_rules[seat]) == list(range(encoding.action_count))
            assert (from_rules[seat][to_rules[seat]] == np.arange(encoding.action_count)).all()


def test_actions_name_seats_by_their_distance() -> None:
    table = Table(Setting("mantis", 4, {"first": 3}))
    table.begin("distance")
    assert table.legal() == [0, 2, 3, 4]
    assert [table.action_text(3, action) for action in table.legal()] == ["score", "steal 0", "steal 1", "steal 2"]


def test_every_component_stays_within_its_bounds(game: Game, encoding: Encoding) -> None:
    for table, _ in random_tables(game, games_each=2, share=0.5):
        for seat in range(table.setting.players):
            observation, mask = table.encode(seat)
            assert observation.shape == (encoding.size,)
            assert (observation <= encoding.highest).all(), np.flatnonzero(observation > encoding.highest)
            assert set(np.unique(mask)) <= {0, 1}


def test_the_mask_is_what_is_legal_for_the_seat_to_act_and_empty_for_the_others(game: Game) -> None:
    for table, _ in random_tables(game, share=0.3):
        for seat in range(table.setting.players):
            _, mask = table.encode(seat)
            assert np.flatnonzero(mask).tolist() == (table.legal() if seat == table.to_act else [])


def test_worlds_that_a_seat_cannot_tell_apart_give_it_the_same_vector_mask_and_information_state(game: Game) -> None:
    hidden_differs = 0
    for table, chance in random_tables(game, games_each=2, share=0.2):
        for seat in range(table.setting.players):
            other = table.resample(seat, chance.getrandbits(40))
            for mine, theirs in zip(table.encode(seat), other.encode(seat), strict=True):
                assert (mine == theirs).all(), f"seat {seat} sees a difference at {np.flatnonzero(mine != theirs)}"
            assert table.information_state(seat) == other.information_state(seat)
            hidden_differs += table.hash() != other.hash()
    assert hidden_differs > 50, "the worlds must differ in what the seats do not see, or this test says nothing"


def test_the_seats_of_one_table_do_not_see_the_same(game: Game) -> None:
    """Relative seats at least, and own cards: an observation that ignores the viewer is no observation."""
    table, _ = next(iter(random_tables(game)))
    seen = [table.encode(seat)[0].tobytes() for seat in range(table.setting.players)]
    assert len(set(seen)) == len(seen)


def test_what_is_open_reads_the_same_in_quiet_games(game: Game, encoding: Encoding) -> None:
    for position, chance in random_tables(game, share=0.1):
        table, quiet = position.clone(), position.clone()
        quiet.states["quiet"] = 1
        for _ in range(5):
            if table.to_act < 0:
                break
            action = chance.choice(table.legal())
            table.play(action)
            quiet.play(action)
            seat = max(table.to_act, 0)
            assert (table.encode(seat)[0][: encoding.open_size] == quiet.encode(seat)[0][: encoding.open_size]).all()


def of(table: Table, seat: int, name: str) -> list[int]:
    part = table.setting.encoding.slice_of(name)
    return [int(number) for number in table.encode(seat)[0][part]]


def shown(table: Table, seat: int) -> dict[str, object]:
    return table.setting.game.view(read(table.states), seat)


def clockwise(table: Table, seat: int, things: list[object]) -> list[object]:
    return things[seat:] + things[:seat]


def test_mantis_reads_as_its_view() -> None:
    game = tavolino.load("mantis")
    for table, _ in random_tables(game, share=0.1):
        players = table.setting.players
        for seat in range(players):
            view = shown(table, seat)
            seats = clockwise(table, seat, view["seats"])
            assert of(table, seat, "score")[:players] == [each["score"] for each in seats]
            tanks = [count for each in seats for count in each["tank"].values()]
            assert of(table, seat, "tank")[: len(tanks)] == tanks
            assert of(table, seat, "draw") == [view["draw"]["size"]]
            colours = list(game.parts["colours"])
            back = view["draw"]["back"] or []
            assert of(table, seat, "back") == [int(colour in back) for colour in colours]
            notebook = game.notebook(read(table.states), seat)
            assert of(table, seat, "unseen") == list(notebook["unseen_colours"].values())
            assert of(table, seat, "unseen_icons") == list(notebook["unseen_icons"].values())
            fronts = {card.partition(":")[0] for card in notebook["places"]["draw"]["top"]}
            assert of(table, seat, "can_be") == [int(colour in fronts) for colour in colours]


def test_splendor_reads_as_its_view() -> None:
    game = tavolino.load("splendor-marvel")
    cards = list(game.parts["cards"])
    for table, _ in random_tables(game, share=0.05):
        players = table.setting.players
        for seat in range(players):
            view = shown(table, seat)
            seats = clockwise(table, seat, view["seats"])
            assert of(table, seat, "bank") == list(view["bank"].values())
            tokens = [count for each in seats for count in each["tokens"].values()]
            assert of(table, seat, "tokens")[: len(tokens)] == tokens
            assert of(table, seat, "points")[:players] == [each["points"] for each in seats]
            face_up = {card for row in view["rows"].values() for card in row}
            assert of(table, seat, "face_up") == [int(card in face_up) for card in cards]
            reserved = of(table, seat, "reserved")
            hidden = of(table, seat, "hidden")
            for distance, each in enumerate(seats):
                known = {place["card"] for place in each["reserved"]} - {None}
                flags = reserved[distance * len(cards) : (distance + 1) * len(cards)]
                assert flags == [int(card in known) for card in cards]
                unknown = [place["level"] for place in each["reserved"] if place["card"] is None]
                assert hidden[distance * 3 : distance * 3 + 3] == [unknown.count(level) for level in (1, 2, 3)]
            unseen = game.notebook(read(table.states), seat)["unseen"]
            assert of(table, seat, "unseen") == [int(card in unseen) for card in cards]


def test_infinity_gauntlet_reads_as_its_view_and_notebook() -> None:
    game = tavolino.load("infinity-gauntlet")
    cards = list(game.parts["cards"])
    for table, _ in random_tables(game, share=0.1):
        players = table.setting.players
        for seat in range(players):
            view = shown(table, seat)
            seats = clockwise(table, seat, view["seats"])
            assert of(table, seat, "hand") == [seats[0]["hand"].count(card) for card in cards]
            face_up = [card for each in seats for card in each["face_up"]]
            assert of(table, seat, "face_up") == [face_up.count(card) for card in cards]
            assert of(table, seat, "life") == list(view["life"].values())
            assert of(table, seat, "tokens")[:players] == [each["tokens"] for each in seats]
            places = game.notebook(read(table.states), seat)["places"]
            hands = clockwise(table, seat, places["hands"])
            can_hold, holds = of(table, seat, "can_hold"), of(table, seat, "holds")
            for distance, hand in enumerate(hands):
                part = slice(distance * len(cards), (distance + 1) * len(cards))
                assert can_hold[part] == [int(any(card in place for place in hand)) for card in cards]
                assert holds[part] == [sum(place == [card] for place in hand) for card in cards]
            deck = places["decks"]["hero"]
            flags = [int(card in place) for place in deck for card in cards[:16]]
            assert of(table, seat, "hero_deck_can")[: len(flags)] == flags
