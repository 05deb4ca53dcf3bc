"""Nets: what they add to the game's own evaluation, the files of their weights, and the level that uses them."""

import json
from pathlib import Path

import numpy as np
import pytest

import tavolino
from tavolino.bots import SeatMatch, fallback, make_bot
from tavolino.bots import policies as bot_policies
from tavolino.bots.levels import Search
from tavolino.bots.policies import kind_of, net_of, nets_of, policy_of, settings_of
from tavolino.engine.compiled import entry
from tavolino.engine.match import Match
from tavolino.engine.net import MAX_SEATS, NO_NET, Floats, Net, NetRoom, NetShape, evaluate_by_net, features, new_room
from tavolino.engine.net import net_of_weights as with_weights
from tavolino.engine.net_files import BadNet, Nets, nets_in, read_nets, version_in, write_nets
from tavolino.engine.policy import Reals, evaluate
from tavolino.engine.record import States
from tavolino.lab.training import first_weights

GAME = "splendor-marvel"
SMALL = NetShape(3, 2, 2, 4, 5, 6)


def shape() -> NetShape:
    found = policy_of(GAME).net
    assert found is not None
    return found


def position(players: int, decisions: int = 30) -> Match:
    match = tavolino.load(GAME).start(players, "net")
    bots = [make_bot("medium", GAME, seat) for seat in range(players)]
    for _ in range(decisions):
        seat = match.to_act
        assert seat is not None
        match.advance(bots[seat].choose(SeatMatch(match, seat)))
    return match


@entry
def chances(states: States, net: Net, room: NetRoom, own: Reals, by_net: Reals) -> None:
    evaluate(states[0], own)
    evaluate_by_net(states[0], net, room, by_net)


@entry
def describe(states: States, inputs: Floats) -> None:
    features(states[0], inputs)


@pytest.mark.plain
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_net_that_has_learnt_nothing_evaluates_as_the_game_does(players: int) -> None:
    own, by_net = np.zeros(MAX_SEATS), np.zeros(MAX_SEATS)
    net = with_weights(shape(), first_weights(shape(), 0))
    chances(position(players)._states, net, new_room(shape()), own, by_net)
    assert own[:players].sum() == pytest.approx(1.0)
    assert by_net[:players] == pytest.approx(own[:players], abs=1e-6)


def test_features_are_small_numbers_and_items_that_are_not_there_are_empty() -> None:
    inputs, whole = np.ones((MAX_SEATS, shape().inputs), np.float32), shape().whole
    describe(position(3)._states, inputs)
    assert np.abs(inputs[:3, :-1]).max() <= 3.0
    items = inputs[:3, whole:-1].reshape(3, shape().items, shape().per_item)
    assert (items[:, :12, 0] == 1.0).all(), "the cards of the rows"
    assert not items[items[:, :, 0] == 0.0].any()


def test_a_search_with_a_net_builds_another_tree_and_the_same_one_each_time() -> None:
    match = position(2)
    seat, policy = match.to_act, policy_of(GAME)
    assert seat is not None
    chance = np.random.default_rng(1)
    net = with_weights(shape(), (first_weights(shape(), 1) + 0.1 * chance.standard_normal(shape().size)).astype("f4"))
    root = match.resample(seat, 1)._states

    def values(using: Net) -> list[float]:
        search = Search(match.game, root, seat, 7, policy.search, policy.weights_of("hard"), using)
        search.run(200)
        return search._tree[1]["value"][:50].tolist()

    assert values(net) == values(net)
    assert values(net) != values(NO_NET)


def test_weights_are_written_and_read_again_to_the_bit(tmp_path: Path) -> None:
    weights = {players: first_weights(SMALL, players) for players in (2, 3)}
    version = write_nets(tmp_path / "net.bin", "a-game", SMALL, weights)
    found = nets_in(tmp_path, "a-game", SMALL)
    assert found.version == version == version_in(tmp_path)
    assert all((found.net(players).weights == weights[players]).all() for players in weights)
    assert found.net(4) is NO_NET


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda content: content[:-8], "damaged"),
        (lambda content: content[:-1] + bytes([content[-1] ^ 1]), "damaged"),
        (lambda content: content.replace(b"a-game", b"chess"), "holds the weights of chess"),
        (lambda content: content.replace(b'"format": 1', b'"format": 9'), "format 9"),
        (lambda content: content.replace(b"[3, 2,", b"[2, 2,"), "other features"),
        (lambda content: b"\x00\xff" + content, "not a file of weights"),
        (lambda content: b"[]\n", "not a file of weights"),
        (lambda content: b"", "not a file of weights"),
    ],
)
def test_weights_that_do_not_fit_are_refused_with_a_sentence(tmp_path: Path, spoil: object, sentence: str) -> None:
    path = tmp_path / "net.bin"
    write_nets(path, "a-game", SMALL, {2: first_weights(SMALL, 0)})
    spoilt = spoil(path.read_bytes())  # type: ignore[operator]
    with pytest.raises(BadNet, match=sentence):
        read_nets(spoilt, "a-game", SMALL)
    path.write_bytes(spoilt)
    found = nets_in(tmp_path, "a-game", SMALL)
    assert found.version is None
    assert found.problem is not None
    assert found.net(2) is NO_NET


def test_without_a_net_expert_plays_like_hard_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    for game in ("mantis", "infinity-gauntlet"):
        assert nets_of(game).version is None
        assert settings_of("expert", game) == settings_of("hard", game)
        assert net_of("expert", game, 2) is NO_NET
        assert "expert plays like hard" in str(fallback("expert", game))
        match = tavolino.load(game).start(2, 1)
        seat = match.to_act
        assert seat is not None
        seen = SeatMatch(match, seat)
        assert make_bot("expert", game, 3, 100).choose(seen) == make_bot("hard", game, 3, 100).choose(seen)
    broken = Nets(problem="net.bin is damaged.")
    monkeypatch.setattr(bot_policies, "nets_of", lambda game: broken)
    assert fallback("expert", GAME) == "net.bin is damaged. There expert plays like hard."
    assert kind_of("expert", GAME) == "search"


def test_the_shipped_weights_fit_their_game_and_are_small() -> None:
    found = nets_of(GAME)
    assert found.problem is None
    assert found.version is not None
    assert sorted(found.by_players) == list(tavolino.load(GAME).players)
    path = tavolino.load(GAME).folder / "net.bin"
    assert path.stat().st_size < 100_000
    assert json.loads(path.read_bytes().partition(b"\n")[0])["version"] == found.version
    assert fallback("expert", GAME) is None
