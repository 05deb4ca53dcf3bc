"""Reviews: what they add up to, what they may know, and what they refuse."""

import json
import os
from dataclasses import replace
from itertools import pairwise
from math import sqrt
from statistics import mean, stdev

import pytest

import tavolino
from tavolino.bots import SeatMatch, make_bot
from tavolino.coach.judge import judge
from tavolino.coach.labels import BLUNDER, INACCURACY, LOSSES, MISTAKE, label_of
from tavolino.coach.review import Parts, Review, Step, Unfinished, review
from tavolino.coach.written import review_json
from tavolino.engine.match import Match
from tests.coach.games import LITTLE, played, start_of

GAMES = [(name, tavolino.load(name).players[0]) for name in tavolino.games()]


def reviewed(match: Match, seat: int, salt: str = "") -> Review:
    return review(start_of(match), match.record()["actions"], seat, LITTLE, salt=salt)


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_start_luck_own_and_others_add_up_to_the_result(game: str, players: int) -> None:
    match = played(game, players, "adds up")
    found = reviewed(match, 0)
    parts = found.parts
    assert parts.result in (0.0, 0.5, 1.0)
    assert parts.start + parts.luck + parts.own + parts.others == pytest.approx(parts.result, abs=1e-9)
    assert [step.turn for step in found.steps] == list(range(1, len(match.record()["actions"]) + 1))
    for before, after in zip(found.steps, found.steps[1:], strict=False):
        assert before.after == after.before
        assert before.line <= after.line
    assert found.steps[-1].after == parts.result
    assert [each.turn for each in found.decisions] == [step.turn for step in found.steps if step.seat == 0]
    json.dumps(review_json(found))


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_one_position_has_one_chance(game: str, players: int) -> None:
    """Before a decision it is that of the judgement, and after an action that shows nothing new that of the action."""
    found = reviewed(played(game, players, "one chance"), 0)
    steps = {step.turn: step for step in found.steps}
    carried = 0
    for decision in found.decisions:
        step, judged = steps[decision.turn], decision.judgement
        assert step.before == judged.chance
        assert step.before + step.doing == pytest.approx(judged.candidate(judged.chosen).chance, abs=1e-9)
        if step.luck == 0.0 and 0.0 < step.after < 1.0:
            assert step.after == pytest.approx(judged.candidate(judged.chosen).chance, abs=1e-9)
            carried += 1
    assert (carried > 0) == (game != "mantis"), "there every action shows a card"


@pytest.mark.slow
def test_parts_that_are_measured_in_different_worlds_add_up_within_the_stated_error() -> None:
    """No part is computed as a remainder: luck comes from one measurement, own and others from two others."""
    off = []
    for seed in range(6):
        match = played("mantis", 3, f"apart {seed}")
        one, two, three = (reviewed(match, 0, salt).parts for salt in ("one", "two", "three"))
        total = one.start + one.luck + two.own + three.others
        error = sqrt(one.own_error**2 + one.others_error**2 + two.own_error**2 + three.others_error**2)
        off.append((total - one.result) / max(error, 1e-9))
    assert max(map(abs, off)) < 4.0, off
    assert any(abs(each) > 1e-6 for each in off), "the parts were not measured apart"


def test_players_of_one_team_have_one_chance() -> None:
    match = played("infinity-gauntlet", 3, "team")
    thanos = match.record()["options"]["thanos"]
    heroes = [seat for seat in range(3) if seat != thanos]
    results = {reviewed(match, seat).parts.result for seat in heroes}
    assert len(results) == 1
    assert results != {reviewed(match, thanos).parts.result}


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_a_judgement_holds_nothing_that_the_seat_could_not_know(game: str, players: int) -> None:
    """Two games that a seat cannot tell apart up to a decision get the same judgement of it, to the bit."""
    match = tavolino.load(game).start(players, "two worlds")
    bots = [make_bot("easy", game, seat) for seat in range(players)]
    checked = 0
    while match.to_act is not None and checked < 4:
        seat = match.to_act
        action = bots[seat].choose(SeatMatch(match, seat))
        if len(match.legal()) > 1 and len(match.record()["actions"]) % 3 == 1:
            other = match.resample(seat, f"other {checked}")
            assert judge(match, seat, action, LITTLE.own) == judge(other, seat, action, LITTLE.own)
            checked += 1
        match.advance(action)
    assert checked >= 1


def test_two_whole_games_with_one_beginning_are_judged_alike_up_to_there() -> None:
    """The same first cards, then other ones: the decisions before are judged alike, to the bit."""
    game = tavolino.load("mantis")
    cards = list(game.parts["cards"])[:14]
    reviews = []
    for seed in ("this", "that"):
        match = game.start(2, seed, decks={"draw": cards})
        start = match.clone()
        while not match.over:
            match.advance(match.legal()[0])
        actions = match.record()["actions"]
        reviews.append(review(start, actions, 0, LITTLE))
    # Eight cards are dealt, one lies on top: five more are the same, whatever the seed.
    same = [[each.judgement for each in found.decisions if each.turn <= 5] for found in reviews]
    assert same[0] == same[1]
    assert same[0]
    assert reviews[0].decisions != reviews[1].decisions


def test_a_player_at_random_gives_chances_away() -> None:
    match = played("mantis", 4, "clear", ("random",))
    found = reviewed(match, 0)
    assert any(each.judgement.label in ("mistake", "blunder") for each in found.decisions)
    assert found.moments == tuple(sorted(found.moments, key=lambda each: -each.judgement.cost))
    assert all(each.judgement.is_told_apart for each in found.moments)
    assert found.given_away == pytest.approx(
        sum(each.judgement.cost for each in found.decisions if each.judgement.label in LOSSES)
    )
    assert found.skill is not None
    assert 0.0 <= found.skill <= 1.0


def test_every_action_says_what_choosing_it_would_have_cost() -> None:
    match = played("mantis", 4, "clear", ("random",))
    for decision in review_json(reviewed(match, 0))["decisions"]:
        worths = {worth["action"]: worth for worth in decision["actions"]}
        assert (worths[decision["chosen"]]["cost"], worths[decision["chosen"]]["label"]) == (
            decision["cost"],
            decision["label"],
        )
        assert worths[decision["best"]]["cost"] == 0.0
        for worth in worths.values():
            assert (worth["cost"] is None) == worth["estimate"]
            assert worth["label"] is None or not worth["estimate"]


@pytest.mark.parametrize(
    ("chances", "result", "turn"),
    [
        ((0.3, 0.6, 0.2, 0.5, 0.1), 0.0, 4),  # 60 % to 20 % was made good, 50 % to 10 % was not
        ((0.5, 0.9, 0.4, 0.8), 1.0, 3),  # the winner's rise, not the earlier fall that was made good
        ((0.25, 0.2, 0.12, 0.05), 0.0, None),  # little by little
    ],
)
def test_the_turning_point_is_what_was_never_undone(
    chances: tuple[float, ...], result: float, turn: int | None
) -> None:
    whole = (*chances, result)
    steps = tuple(
        Step(n, n, 0, before, after, 0.0, 0.0, 0.0, after - before)
        for n, (before, after) in enumerate(pairwise(whole), start=1)
    )
    found = Review(0, steps, (), Parts(chances[0], result - chances[0], 0.0, 0.0, result, 0.0, 0.0, 0.0)).turning_point
    assert (None if found is None else found.turn) == turn


def test_labels_need_a_loss_that_is_no_chance() -> None:
    assert label_of(0.5, 0.3) == "good"
    assert label_of(INACCURACY - 0.001, 0.0) == "good"
    assert label_of(INACCURACY, 0.001) == "inaccuracy"
    assert label_of(MISTAKE, 0.001) == "mistake"
    assert label_of(BLUNDER, 0.001) == "blunder"


def test_only_finished_games_are_reviewed() -> None:
    match = tavolino.load("mantis").start(2, "running")
    with pytest.raises(Unfinished):
        review(match, [match.legal()[0]], 0, LITTLE)
    with pytest.raises(ValueError, match="no seat 2"):
        review(match, [], 2, LITTLE)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "players"), GAMES)
def test_luck_is_nothing_on_average(game: str, players: int) -> None:
    """Over games of mediums the mean luck is 0 within its interval; `make test-long` plays 1,000 of each game."""
    effort = replace(LITTLE, value=4_000, doing=4_000, value_error=0.1, doing_error=0.1)
    lucks = []
    for seed in range(int(os.environ.get("LUCK_GAMES", "12"))):
        match = played(game, players, f"luck {seed}", ("medium",))
        parts = review(start_of(match), match.record()["actions"], seed % players, effort).parts
        lucks.append(parts.luck)
    assert abs(mean(lucks)) < 3.3 * stdev(lucks) / sqrt(len(lucks)), mean(lucks)
