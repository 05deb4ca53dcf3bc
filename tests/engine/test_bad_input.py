"""Bad input: an error with a sentence, and nothing changed."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tavolino

pytestmark = pytest.mark.plain

FUZZ = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=10,
)


@pytest.mark.parametrize("players", [0, 1, 7, -2, 2.0, "2", None, True])
def test_wrong_numbers_of_players(game: tavolino.Game, players: Any) -> None:
    with pytest.raises(ValueError, match="players"):
        game.start(players, 1)


@pytest.mark.parametrize(
    "options", [{"colour": 1}, {"first": 9}, {"thanos": "0"}, {"icons": 1}, {"first": True}, ["first"], "icons"]
)
def test_wrong_options(game: tavolino.Game, options: Any) -> None:
    with pytest.raises(ValueError, match=r"option|Options"):
        game.start(2, 1, options)


@pytest.mark.parametrize("decks", [{"tarot": []}, ["draw"], "draw"])
def test_wrong_decks(game: tavolino.Game, decks: Any) -> None:
    with pytest.raises(ValueError, match=r"deck|Decks"):
        game.start(2, 1, decks=decks)


def test_wrong_cards(game: tavolino.Game) -> None:
    for name, deck in game.decks.items():
        for cards in (["joker"], [5], "thor", 7, [deck.cards[0]] * 4):
            with pytest.raises(ValueError, match="deck"):
                game.start(2, 1, decks={name: cards})  # type: ignore[dict-item]


@pytest.mark.parametrize("seat", [-1, 2, 99, "0", 1.0, True])
def test_wrong_seats(game: tavolino.Game, seat: Any) -> None:
    match = game.start(2, 1)
    for look in (match.view, match.notebook, lambda seat: match.resample(seat, 1)):
        with pytest.raises(ValueError, match="There is no seat"):
            look(seat)


@pytest.mark.parametrize("action", [None, 5, b"score", ["score"], {}])
def test_actions_that_are_no_texts(game: tavolino.Game, action: Any) -> None:
    match = game.start(2, 1)
    before = match.hash()
    with pytest.raises(tavolino.IllegalAction) as error:
        match.play(action)
    assert str(error.value)
    assert match.hash() == before


@FUZZ
@given(text=st.text(max_size=40) | st.from_regex(r"(play|take|choose|guess|steal|return|grey|visit) [a-z0-9 -]{0,20}"))
def test_any_text_is_played_or_refused_with_a_sentence(game: tavolino.Game, text: str) -> None:
    match = game.start(2, 1)
    before, legal = match.hash(), match.legal()
    try:
        match.play(text)
    except tavolino.IllegalAction as refusal:
        assert text not in legal
        assert isinstance(refusal, ValueError)
        assert str(refusal)[-1] in ".!?"
        assert match.hash() == before
    else:
        assert text in legal


@FUZZ
@given(record=JSON)
def test_any_json_is_a_bad_record(record: Any) -> None:
    with pytest.raises(tavolino.BadRecord):
        tavolino.replay(record)


@FUZZ
@given(
    key=st.sampled_from(["game", "rules", "players", "options", "seed", "decks", "actions", "hash", "chain", "format"]),
    value=JSON,
)
def test_a_record_with_any_part_exchanged_replays_or_is_bad(game: tavolino.Game, key: str, value: Any) -> None:
    match = game.start(2, "honest")
    match.play(match.legal()[0])
    record = {**match.record(), key: value}
    try:
        again = tavolino.replay(record)
    except tavolino.BadRecord as error:
        assert str(error)
    else:
        assert again.hash() == match.hash()


def test_records_that_do_not_fit_say_why(game: tavolino.Game) -> None:
    match = game.start(2, "honest")
    while not match.over:
        match.play(match.legal()[0])
    record = json.loads(json.dumps(match.record()))

    def why(**changed: Any) -> str:
        with pytest.raises(tavolino.BadRecord) as error:
            tavolino.replay({**record, **changed})
        return str(error.value)

    assert "lacks the key 'seed'" in _why_without(record, "seed")
    assert "There is no game" in why(game="chess")
    assert "rules '99'" in why(rules="99")
    assert "players" in why(players=17)
    assert "no option" in why(options={"speed": 3})
    assert "Action 1" in why(actions=["dance", *record["actions"]])
    assert "over" in why(actions=[*record["actions"], record["actions"][-1]])
    assert "hash" in why(hash="0" * 32)
    assert "list of texts" in why(actions="score")
    assert "hex" in why(seed={"bytes": 5})


def _why_without(record: dict[str, Any], key: str) -> str:
    with pytest.raises(tavolino.BadRecord) as error:
        tavolino.replay({name: value for name, value in record.items() if name != key})
    return str(error.value)
