"""The levels: the same names for every game, the same choices for the same seed, hints."""

import time

import pytest

import tavolino
from tavolino.bots import LEVELS, SeatMatch, hint, make_bot
from tavolino.bots.policies import policy_of
from tavolino.engine.policy import FIRST_OWN_WEIGHT, OVERLOOK


def play_out(game: str, players: int, levels: list[str], seed: int) -> list[str]:
    match = tavolino.load(game).start(players, seed)
    bots = [make_bot(level, game, seed * 10 + seat, iterations=20) for seat, level in enumerate(levels)]
    played = []
    while match.to_act is not None:
        played.append(bots[match.to_act].choose(SeatMatch(match, match.to_act)))
        match.play(played[-1])
    return played


@pytest.mark.parametrize("game", tavolino.games())
def test_all_levels_play_whole_games_and_repeat_them_by_seed(game: str) -> None:
    assert LEVELS == ("random", "easy", "medium", "hard", "expert")
    played = play_out(game, 4, list(LEVELS), 1)
    assert played == play_out(game, 4, list(LEVELS), 1)
    assert played != play_out(game, 4, list(LEVELS), 2)


def test_an_unknown_level_or_game_is_refused_with_the_names_that_exist() -> None:
    with pytest.raises(ValueError, match="random, easy, medium, hard"):
        make_bot("godlike", "mantis", 0)
    with pytest.raises(ValueError, match="splendor-marvel"):
        make_bot("medium", "chess", 0)


@pytest.mark.parametrize("game", tavolino.games())
def test_a_hint_is_a_legal_action_with_a_chance_to_win(game: str) -> None:
    match = tavolino.load(game).start(3, "hint")
    for _ in range(6):
        assert match.to_act is not None
        hinted = hint(SeatMatch(match, match.to_act), seed=3, iterations=50)
        assert hinted["action"] in match.legal()
        assert 0.0 <= hinted["win"] <= 1.0
        match.play(hinted["action"])


def test_time_limits_a_search() -> None:
    match = SeatMatch(tavolino.load("splendor-marvel").start(4, "in a hurry"), 0)
    make_bot("hard", "splendor-marvel", 0, iterations=1).choose(match)  # compiled
    began = time.perf_counter()
    make_bot("hard", "splendor-marvel", 0, seconds=0.2).choose(match)
    assert 0.2 <= time.perf_counter() - began < 2.0


def test_easy_is_medium_with_slips_and_a_short_memory() -> None:
    for game in tavolino.games():
        policy = policy_of(game)
        medium, easy = policy.weights_of("medium"), policy.weights_of("easy")
        assert easy.shape == medium.shape
        assert (medium[:FIRST_OWN_WEIGHT] == 0).all(), "medium overlooks nothing and scores without noise"
        assert easy[OVERLOOK] > 0
        assert (policy.weights_of("hard") == medium).all()
