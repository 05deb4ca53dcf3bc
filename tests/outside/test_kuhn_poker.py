"""A game in a package of its own, examples/kuhn-poker: found by its entry point, and played everywhere."""

import json
import random
from typing import Any

import pytest

import tavolino
from tavolino.bots import LEVELS, SeatMatch, fallback, hint, make_bot
from tavolino.bots.levels import Search
from tavolino.bots.policies import policy_of
from tavolino.cli.commands import run
from tavolino.engine.match import Match
from tavolino.engine.messages import LANGUAGES
from tavolino.engine.testing import check_game
from tavolino.engine.texts import Speaker, read_texts
from tests.outside.packages import KUHN
from tests.resample_faults import FAULTS, plant

VALUE = -1 / 18  # of the first player, with best play on both sides (Kuhn, 1950)


def start(kuhn: tavolino.Game, *cards: str, first: int = 0) -> Match:
    return kuhn.start(2, "kuhn", {"first": first}, {"cards": list(cards)})


def play(match: Match, *actions: str) -> Match:
    for action in actions:
        match.play(action)
    return match


def test_it_is_one_of_the_games(kuhn: tavolino.Game) -> None:
    assert "kuhn-poker" in tavolino.games()
    assert kuhn.name == "kuhn-poker"


def test_its_entry_point_is_the_one_that_the_tests_declare() -> None:
    assert 'kuhn-poker = "kuhn_poker"' in (KUHN / "pyproject.toml").read_text()


def test_it_conforms(kuhn: tavolino.Game) -> None:
    check_game(kuhn, games=20)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_its_resample_is_caught(kuhn: tavolino.Game, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, kuhn.name, fault)
    with pytest.raises(AssertionError, match=r"has not seen|worlds resampled for viewer .* agree"):
        check_game(kuhn, games=0)


@pytest.mark.parametrize(
    ("actions", "winner", "reason"),
    [
        (("check", "check"), 1, "KP-21"),
        (("bet", "call"), 1, "KP-21"),
        (("bet", "fold"), 0, "KP-20"),
        (("check", "bet", "fold"), 1, "KP-20"),
        (("check", "bet", "call"), 1, "KP-21"),
    ],
)
def test_the_five_ways_to_play_a_queen_against_a_king(
    kuhn: tavolino.Game, actions: tuple[str, ...], winner: int, reason: str
) -> None:
    match = play(start(kuhn, "queen", "king"), *actions)
    assert match.outcome is not None
    assert match.outcome.winners == (winner,)
    assert match.outcome.reason == reason


def test_cards_are_shown_at_a_showdown_alone(kuhn: tavolino.Game) -> None:
    match = start(kuhn, "jack", "king", first=1)
    assert match.to_act == 1
    assert [seat["card"] for seat in match.view(0)["seats"]] == ["jack", None]
    folded = play(match.clone(), "bet", "fold")
    assert [seat["card"] for seat in folded.view(0)["seats"]] == ["jack", None]
    shown = play(match, "bet", "call")
    assert [seat["card"] for seat in shown.view(None)["seats"]] == ["jack", "king"]


def test_refusals_name_their_rule(kuhn: tavolino.Game) -> None:
    match = start(kuhn, "queen", "king")
    with pytest.raises(tavolino.IllegalAction, match="no bet to answer") as refusal:
        match.play("call")
    assert refusal.value.rule == "KP-10"


def test_every_language_has_the_same_texts(kuhn: tavolino.Game) -> None:
    files = [json.loads((KUHN / "kuhn_poker" / "texts" / f"{language}.json").read_text()) for language in LANGUAGES]
    assert all(file.keys() == files[0].keys() for file in files)
    for language in LANGUAGES:
        match = play(start(kuhn, "queen", "king"), "check", "bet", "call")
        sentences = [Speaker(kuhn, language, viewer=0).tell(event) for event in match.view(0)["log"]]
        assert len(set(sentences)) == len(sentences) == 8
        assert read_texts(kuhn.folder, language)["name"] in Speaker(kuhn, language).say("name")


# -- bots and the lab


def test_all_levels_play_it(kuhn: tavolino.Game) -> None:
    for level in LEVELS:
        assert (fallback(level, kuhn.name) is None) == (level != "expert"), "it has a policy, and no net"
        for seed in range(5):
            match = kuhn.start(2, seed)
            while match.to_act is not None:
                match.play(make_bot(level, kuhn.name, seed, iterations=30).choose(SeatMatch(match, match.to_act)))


def test_medium_and_hard_keep_a_sure_win(kuhn: tavolino.Game) -> None:
    match = play(start(kuhn, "jack", "king"), "bet")
    for level in ("medium", "hard"):
        assert make_bot(level, kuhn.name, 1, iterations=300).choose(SeatMatch(match, 1)) == "call"
    advice = hint(SeatMatch(match, 1), 1, iterations=300)
    assert advice["action"] == "call"
    assert advice["win"] == 1.0


@pytest.mark.parametrize(
    ("cards", "actions", "rewards", "win"),
    [
        # A jack never wins after a bet: folding loses 1 chip of at most 2, calling both.
        (("king", "jack"), ("bet",), {"fold": 0.25, "call": 0.0}, 0.0),
        # A king wins 1 chip with a check; a bet can win a second one.
        (("jack", "king"), ("check",), {"check": 0.75, "bet": None}, 1.0),
    ],
)
def test_hard_searches_for_chips_and_tells_the_chance_to_win(
    kuhn: tavolino.Game, cards: tuple[str, str], actions: tuple[str, ...], rewards: dict[str, float | None], win: float
) -> None:
    match = play(start(kuhn, *cards), *actions)
    policy = policy_of(kuhn.name)
    search = Search(kuhn, match.resample(1, 1)._states, 1, 1, policy.search, policy.weights_of("hard"))
    search.run(iterations=600)
    nodes, edges, _ = search._tree
    means = {
        kuhn.action_text(None, int(edge["action"])): edge["value"] / edge["visits"]
        for edge in edges[: nodes[0]["edges"]]
    }
    assert means.keys() == rewards.keys()
    for action, reward in rewards.items():
        assert (means[action] > 0.75) if reward is None else (means[action] == reward), action
    assert hint(SeatMatch(match, 1), 1, iterations=600) == {
        "action": max(means, key=lambda one: means[one]),
        "win": win,
    }


def test_the_commands_play_it(kuhn: tavolino.Game, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["simulate", "kuhn-poker", "--games", "2000", "--json", "-"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert (figures["players"], figures["games"]) == (2, 2000)
    assert set(figures["reasons"]) == {"KP-20", "KP-21"}
    words = ["arena", "kuhn-poker", "--bots", "hard,random", "--iterations", "50", "--games", "40", "--json", "-"]
    assert run(words) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["games"] == 40
    assert captured.err == ""
    assert run(["balance", "kuhn-poker", "--games", "50", "--vary", "first=0,1", "--json", "-"]) == 0
    assert [row["value"] for row in json.loads(capsys.readouterr().out)["varied"]] == [0, 1]


# -- research


def load(parameters: str) -> Any:
    import pyspiel

    import tavolino.research.openspiel  # noqa: F401 - registers the games

    return pyspiel.load_game(f"tavolino_kuhn_poker({parameters})")


def test_payoffs_are_chips(kuhn: tavolino.Game) -> None:
    from tavolino.research.table import Setting, Table

    table, chance = Table(Setting("kuhn-poker", 2)), random.Random(1)
    found = set()
    for seed in range(40):
        table.begin(seed)
        while table.to_act >= 0:
            table.play(chance.choice(table.legal()))
        assert sum(table.returns()) == 0
        found |= {abs(number) for number in table.returns()}
    assert found == {1.0, 2.0}


def test_openspiel_has_a_chance_node_for_each_card(kuhn: tavolino.Game) -> None:
    from open_spiel.python.algorithms import get_all_states

    game = load("chance=deck")
    states = get_all_states.get_all_states(game, include_terminals=True, include_chance_states=True)
    # The start and the 3 first cards are chance nodes; each of the 6 deals has 9 positions, 5 of them ends.
    assert len(states) == 1 + 3 + 6 * 9
    assert sum(state.is_terminal() for state in states.values()) == 6 * 5


def test_cfr_finds_the_value_of_the_game(kuhn: tavolino.Game) -> None:
    from open_spiel.python.algorithms import cfr, expected_game_score, exploitability

    game = load("chance=deck")
    solver = cfr.CFRPlusSolver(game)
    for _ in range(100):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    values = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])
    assert values[0] == pytest.approx(VALUE, abs=0.005)
    assert values[1] == pytest.approx(-VALUE, abs=0.005)
    assert exploitability.nash_conv(game, policy) < 0.05


def test_openspiel_measures_exploitability(kuhn: tavolino.Game) -> None:
    """Random play can be exploited as much as in OpenSpiel's own Kuhn poker, and what CFR has learnt hardly at all."""
    import pyspiel
    from open_spiel.python import policy as policies
    from open_spiel.python.algorithms import cfr, exploitability

    game, peer = load("chance=deck"), pyspiel.load_game("kuhn_poker")
    uniform = [exploitability.exploitability(each, policies.UniformRandomPolicy(each)) for each in (game, peer)]
    assert uniform[0] == pytest.approx(uniform[1])
    solver = cfr.CFRPlusSolver(game)
    for _ in range(50):
        solver.evaluate_and_update_policy()
    assert exploitability.exploitability(game, solver.average_policy()) < 0.03
