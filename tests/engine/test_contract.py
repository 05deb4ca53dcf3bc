"""The names that outside programs rely on, for every game."""

import json
import os
import subprocess
import sys

import pytest

import tavolino
from tavolino.engine.testing import random_game, viewers

pytestmark = pytest.mark.plain


def test_the_games_by_name() -> None:
    assert tavolino.games() == ("infinity-gauntlet", "mantis", "splendor-marvel")
    for name in tavolino.games():
        assert tavolino.load(name).name == name


@pytest.mark.parametrize(
    "imports",
    [
        "import tavolino",
        "import tavolino; tavolino.games()",
        "from tavolino import games; import tavolino",
        "import tavolino.games.mantis.facts",
        "import tavolino.games as package; import tavolino",
    ],
)
def test_the_package_of_the_games_lists_them_when_it_is_called(imports: str) -> None:
    code = f"{imports}; tavolino.load('mantis'); assert tavolino.games()[1] == 'mantis'; tavolino.games.mantis.facts"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_game_of_ours_is_played_without_asking_which_others_are_installed() -> None:
    """That takes longer than all the rest, but for NumPy."""
    code = (
        "import sys, tavolino; tavolino.load('mantis').start(4, 1).view(0); print('importlib.metadata' in sys.modules)"
    )
    settings = {**os.environ, "TAVOLINO_COMPILED": "plain"}
    done = subprocess.run([sys.executable, "-c", code], env=settings, capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_an_unknown_game_is_a_lookup_error_that_lists_the_names() -> None:
    with pytest.raises(tavolino.UnknownGame, match="infinity-gauntlet, mantis, splendor-marvel") as error:
        tavolino.load("chess")
    assert isinstance(error.value, LookupError)


def test_players_and_options(game: tavolino.Game) -> None:
    assert game.players == (range(2, 5) if game.name == "splendor-marvel" else range(2, 7))
    names = {
        "infinity-gauntlet": {"thanos", "hero_life", "thanos_life"},
        "mantis": {"first", "icons"},
        "splendor-marvel": {"first"},
    }
    assert set(game.options) == names[game.name]


def test_views_have_the_shared_keys(game: tavolino.Game) -> None:
    for players in game.players:
        match = game.start(players, "keys")
        for viewer in viewers(match):
            view = match.view(viewer)
            assert view["game"] == game.name
            assert view["players"] == players
            assert view["seat"] == viewer
            assert view["to_act"] == match.to_act
            assert view["over"] is False
            assert view["outcome"] is None
            assert view["log"], "the deal and the first layout are events"
            assert all("kind" in event for event in view["log"])
            assert len(view["seats"]) == players


def test_a_match_that_was_put_away_is_the_same_when_it_is_taken_out_again(game: tavolino.Game) -> None:
    match = game.start(3, "put away")
    for _ in range(5):
        match.play(match.legal()[-1])
        before = match.legal(), [(match.view(viewer), match.notebook(viewer)) for viewer in viewers(match)]
        match.drop_caches()
        assert (match.legal(), [(match.view(viewer), match.notebook(viewer)) for viewer in viewers(match)]) == before


def test_an_arranged_start_is_part_of_the_record(game: tavolino.Game) -> None:
    name = next(iter(game.decks))
    cards = list(game.decks[name].cards[:3])
    match = game.start(2, "arranged", decks={name: cards})
    record = match.record()
    assert record["decks"] == {name: cards}
    assert tavolino.replay(record).hash() == match.hash()
    assert match.hash() != game.start(2, "arranged").hash()


@pytest.mark.parametrize("seed", [0, -5, 2**200, "", "Zażółć gęślą jaźń", "\ud800", b"", b"\x00\xff"])
def test_every_kind_of_seed_replays(game: tavolino.Game, seed: str | int | bytes) -> None:
    match = game.start(2, seed)
    match.play(match.legal()[0])
    record = json.loads(json.dumps(match.record()))
    assert tavolino.replay(record).hash() == match.hash()


def test_a_record_with_only_the_required_keys_is_enough_and_may_be_unfinished(game: tavolino.Game) -> None:
    match = game.start(2, "short")
    match.play(match.legal()[-1])
    record = match.record()
    for key in ("format", "hash", "chain"):
        record.pop(key)
    assert set(record) == {"game", "rules", "players", "options", "seed", "decks", "actions"}
    again = tavolino.replay(record)
    assert not again.over
    assert again.hash() == match.hash()
    assert set(record["options"]) == set(game.options), "options are written out in full"
    assert None not in record["options"].values()


def test_play_returns_events_with_all_secrets(game: tavolino.Game) -> None:
    match = game.start(3, "events")
    seen = match.view(None)["log"]
    events = match.play(match.legal()[0])
    assert [event["kind"] for event in match.view(None)["log"][len(seen) :]] == [event["kind"] for event in events]


def test_outcomes_name_winners_and_a_rule(game: tavolino.Game) -> None:
    for seed in range(3):
        match = list(random_game(game, 2, seed))[-1]
        assert match.to_act is None
        assert match.outcome is not None
        assert match.view(0)["outcome"] == {
            "winners": list(match.outcome.winners),
            "reason": match.outcome.reason,
        }
        assert all(0 <= seat < 2 for seat in match.outcome.winners)


def test_a_resampled_world_is_the_same_for_the_same_seed_and_has_no_record(game: tavolino.Game) -> None:
    match = game.start(3, "worlds")
    assert match.resample(1, "s").hash() == match.resample(1, "s").hash()
    assert match.resample(1, "s").hash() != match.resample(1, "t").hash()
    with pytest.raises(ValueError, match="no record"):
        match.resample(None, 1).record()
    with pytest.raises(ValueError, match="no record"):
        match.resample(None, 1).clone().record()
