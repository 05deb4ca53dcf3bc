"""Observations, masks and actions of every game: within bounds, complete, and without what a seat cannot know."""

import numpy as np
import pytest

from tavolino.engine.game import Game
from tavolino.engine.observation import Slice, offsets
from tavolino.research.encodings import Encoding, encoding_of
from tests.random_tables import random_tables


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
    """At least relative seats and own cards differ: an observation must depend on the viewer."""
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
