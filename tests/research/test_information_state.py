"""The information state: perfect recall of what a seat saw and did, and nothing of anybody else's."""

import pickle

import pytest

from tavolino.engine.game import Game
from tavolino.research.table import Setting, Table
from tests.random_tables import random_tables


def lines(table: Table, seat: int) -> list[str]:
    return table.information_state(seat).split("\n")


def test_it_only_grows(game: Game) -> None:
    """The heading stays, the log grows, and only the last line (the current question) is replaced."""
    before: dict[tuple[int, int], list[str]] = {}
    for table, _ in random_tables(game):
        for seat in range(table.setting.players):
            key = (table.setting.players, seat)
            now = lines(table, seat)
            if key in before:
                assert now[: len(before[key]) - 1] == before[key][:-1]
            before[key] = now


def test_it_holds_the_seats_own_choices_and_no_others(game: Game) -> None:
    table = Table(Setting(game.name, game.players[0], keeps_log=True))
    table.begin("choices")
    chosen: dict[int, list[str]] = {seat: [] for seat in range(table.setting.players)}
    while table.to_act >= 0:
        seat, action = table.to_act, table.legal()[-1]
        chosen[seat].append(f"> {action}")
        table.play(action)
    for seat, choices in chosen.items():
        assert [line for line in lines(table, seat) if line.startswith("> ")] == choices


def test_two_different_pasts_are_two_information_states(game: Game) -> None:
    """Even if the choice leads to the same position, the seat that chose remembers it."""
    for table, _ in random_tables(game, share=0.1):
        if table.to_act < 0 or len(table.legal()) < 2:
            continue
        seat = table.to_act
        after = set()
        for action in table.legal():
            twin = table.clone()
            twin.play(action)
            after.add(twin.information_state(seat))
        assert len(after) == len(table.legal())


def test_in_a_resampled_table_the_others_remember_only_what_all_saw(game: Game) -> None:
    for table, chance in random_tables(game, share=0.2):
        other = table.resample(0, chance.getrandbits(40))
        for seat in range(1, table.setting.players):
            assert not [line for line in lines(other, seat) if line.startswith("> ") or '"secret"' in line]


def test_a_copy_by_pickle_goes_on_as_the_original(game: Game) -> None:
    for table, chance in random_tables(game, share=0.05):
        twin = pickle.loads(pickle.dumps(table))
        assert twin.hash() == table.hash()
        if table.to_act >= 0:
            original, action = table.clone(), chance.choice(table.legal())
            original.play(action)
            twin.play(action)
        else:
            original = table
        for seat in range(table.setting.players):
            assert twin.information_state(seat) == original.information_state(seat)


def test_a_table_without_a_log_has_no_information_state() -> None:
    table = Table(Setting("mantis", 2))
    table.begin(1)
    with pytest.raises(ValueError, match="keeps no log"):
        table.information_state(0)


def test_playing_and_encoding_in_one_call_is_playing_and_encoding(game: Game) -> None:
    for table, chance in random_tables(game, share=0.1, keeps_log=False):
        if table.to_act < 0:
            continue
        action = chance.choice(table.legal())
        one, two = table.clone(), table.clone()
        one.play(action)
        seen = two.play_and_encode(action)
        assert seen is not None
        assert one.hash() == two.hash()
        assert one.legal() == two.legal()
        if one.to_act >= 0:
            for first, second in zip(seen, one.encode(one.to_act), strict=True):
                assert (first == second).all()


def test_an_illegal_action_is_refused_in_that_call_and_changes_nothing(game: Game) -> None:
    for table, _ in random_tables(game, share=0.02, keeps_log=False):
        if table.to_act < 0:
            continue
        before = table.hash()
        for action in (-1, table.setting.action_count, 10**9, *range(table.setting.action_count)):
            if action not in table.legal():
                assert table.play_and_encode(action) is None
        assert table.hash() == before
