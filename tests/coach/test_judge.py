"""The judge: hints and reviews of one position agree, and a label needs both of its methods."""

from dataclasses import replace

import pytest

import tavolino
from tavolino.bots import SeatMatch, make_bot
from tavolino.coach import judge as judges
from tavolino.coach.decision import ROUND, Candidate, Judgement, compare
from tavolino.coach.judge import advise, judge, search_worths
from tavolino.coach.labels import INACCURACY, LOSSES, Label, label_of, milder
from tavolino.coach.worlds import Worlds
from tavolino.engine.match import Match
from tests.coach.games import LITTLE

GAMES = [(name, tavolino.load(name).players[0]) for name in tavolino.games()]
EFFORT = LITTLE.own


def position(game: str, players: int, decisions: int, seed: str = "judged") -> Match:
    """A game of easy bots after some decisions, where the seat to act has a choice."""
    match = tavolino.load(game).start(players, seed)
    bots = [make_bot("easy", game, seat) for seat in range(players)]
    while (seat := match.to_act) is not None and (decisions > 0 or len(match.legal()) == 1):
        match.advance(bots[seat].choose(SeatMatch(match, seat)))
        decisions -= 1
    assert match.to_act is not None
    return match


def by_playouts(chosen: str, best: str, cost: float) -> Judgement:
    """What playouts might say, without playing."""
    candidates = (Candidate(best, 0.6, 0.01, 100, False, 0.0, "good"), Candidate(chosen, 0.6 - cost, 0.01, 100, False))
    return Judgement(chosen, best, chosen, candidates, 0.5, 0.01, 0.0, 0.0, cost, 0.001, 0.1, "blunder")


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_a_followed_hint_never_has_a_label(game: str, players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if the playouts call it a blunder: the review repeats the search of the hint."""
    match = position(game, players, 6)
    seat = match.to_act
    assert seat is not None
    advice = advise(match, seat, iterations=EFFORT.search)
    other = next(action for action in match.legal() if action != advice.action)
    monkeypatch.setattr(judges, "judge_by_playouts", lambda *_: by_playouts(advice.action, other, 0.4))
    judged = judge(match, seat, advice.action, EFFORT)
    assert (judged.label, judged.best, judged.cost) == ("close", advice.action, 0.0)
    assert judged.candidates[0].action == advice.action
    assert not any(each.label in LOSSES for each in judged.candidates)


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_a_hint_holds_nothing_that_the_seat_could_not_know(game: str, players: int) -> None:
    """Two games that the seat cannot tell apart get the same hint and the same values, to the bit."""
    match = position(game, players, 5, "two worlds")
    seat = match.to_act
    assert seat is not None
    other = match.resample(seat, "another world")
    assert advise(match, seat, iterations=200) == advise(other, seat, iterations=200)
    actions = match.legal()[:2]
    assert search_worths(match, seat, actions, 200) == search_worths(other, seat, actions, 200)


@pytest.mark.parametrize(
    ("searched", "label"), [((0.62, 0.60), "close"), ((0.70, 0.63), "mistake"), ((0.7, 0.5), "blunder")]
)
def test_a_label_is_the_milder_one_of_the_two_methods(
    searched: tuple[float, float], label: Label, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = position("mantis", 4, 4)
    seat = match.to_act
    assert seat is not None
    best, chosen = match.legal()[:2]
    worths = {best: (searched[0], 0.001), chosen: (searched[1], 0.001 if label != "close" else 0.011)}
    monkeypatch.setattr(judges, "judge_by_playouts", lambda *_: by_playouts(chosen, best, 0.2))
    monkeypatch.setattr(judges, "advise", lambda *_: judges.Advice(best, 0.6))
    monkeypatch.setattr(judges, "search_worths", lambda *_: worths)
    judged = judge(match, seat, chosen, EFFORT)
    assert judged.label == label
    both = min(0.2, searched[0] - searched[1])
    assert judged.cost == pytest.approx(0.0 if label == "close" else both)
    assert label == "close" or label_of(judged.cost, judged.cost_error) == label, "the cost is no other than the label"
    assert judged.candidate(chosen).label == label
    assert judged.candidate(chosen).chance == pytest.approx(0.4), "by the playouts, as in the rest of the review"
    assert judged.candidate(best).chance == pytest.approx(0.4 + both)


@pytest.mark.parametrize(("by_playouts_too", "label"), [(0.08, "mistake"), (0.0, "good")])
def test_a_loss_that_the_search_proposes_needs_the_playouts_too(
    by_playouts_too: float, label: Label, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The leaders of the playouts often do not include the choice of the search: then the two are compared."""
    match = position("mantis", 4, 4)
    seat = match.to_act
    assert seat is not None
    best, chosen = match.legal()[:2]
    good = replace(by_playouts(chosen, chosen, 0.0), label="good")
    other = Candidate(best, 0.6, 0.01, 32, True)
    good = replace(good, candidates=(good.candidates[0], other))
    monkeypatch.setattr(judges, "judge_by_playouts", lambda *_: good)
    monkeypatch.setattr(judges, "advise", lambda *_: judges.Advice(best, 0.6))
    monkeypatch.setattr(judges, "search_worths", lambda *_: {best: (0.7, 0.001), chosen: (0.58, 0.001)})
    monkeypatch.setattr(judges, "compare", lambda *_: (by_playouts_too, 0.01))
    judged = judge(match, seat, chosen, EFFORT)
    assert judged.label == label
    if label == "good":
        assert judged == good
    else:
        assert (judged.best, judged.candidates[0].action) == (best, best)
        assert judged.cost == pytest.approx(0.08)


def test_where_neither_method_finds_anything_better_nothing_more_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    match = position("mantis", 4, 4)
    seat = match.to_act
    assert seat is not None
    chosen = match.legal()[0]
    good = replace(by_playouts(chosen, match.legal()[1], 0.01), label="good")
    monkeypatch.setattr(judges, "judge_by_playouts", lambda *_: good)
    monkeypatch.setattr(judges, "advise", lambda *_: judges.Advice(chosen, 0.6))
    monkeypatch.setattr(judges, "search_worths", lambda *_: pytest.fail("it was asked"))
    assert judge(match, seat, chosen, EFFORT) == good


@pytest.mark.parametrize(
    ("chosen_wins", "other_wins", "is_asked"), [(0.99, 0.99, False), (0.0, 0.01, False), (0.5, 0.5, True)]
)
def test_in_a_decided_position_no_search_is_asked(
    chosen_wins: float, other_wins: float, is_asked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The playouts cannot find a loss there, and a label needs both."""
    match = position("mantis", 4, 4)
    seat = match.to_act
    assert seat is not None
    chosen, other = match.legal()[:2]
    candidates = (Candidate(chosen, chosen_wins, 0.01, 64, False), Candidate(other, other_wins, 0.01, 64, False))
    good = replace(by_playouts(chosen, chosen, 0.0), label="good", candidates=candidates)
    asked = []

    def advised(*_: object) -> judges.Advice:
        asked.append(chosen)
        return judges.Advice(chosen, 0.6)

    monkeypatch.setattr(judges, "judge_by_playouts", lambda *_: good)
    monkeypatch.setattr(judges, "advise", advised)
    assert judge(match, seat, chosen, EFFORT) == good
    assert bool(asked) == is_asked


def test_a_comparison_ends_as_soon_as_there_is_clearly_no_loss() -> None:
    """At the end of a game of Mantis one action wins at once, and the others do not."""
    match = position("mantis", 2, 20)
    seat = match.to_act
    assert seat is not None
    worlds = Worlds(match, seat)
    one, other = list(worlds.texts.values())[:2]
    ahead = compare(worlds, one, other, EFFORT)[0]
    better, worse = (one, other) if ahead > 0 else (other, one)
    begun = Worlds(match, seat)
    cost, error = compare(begun, worse, better, EFFORT)
    assert cost + 2 * error < INACCURACY
    assert begun._next == ROUND, "the first worlds tell"


def test_milder() -> None:
    assert milder("good", "blunder") == "good"
    assert milder("mistake", "inaccuracy") == "inaccuracy"
