"""A game may know several versions of its rules: a match is played by one of them from the start to the end."""

import pytest

import tavolino


def test_a_game_is_started_by_the_newest_rules_and_says_so(game: tavolino.Game) -> None:
    match = game.start(2, "versions")
    assert match.rules == game.rules == game.versions[-1] == match.record()["rules"]


def test_every_version_is_kept_by_copies_worlds_and_records(game: tavolino.Game) -> None:
    for rules in game.versions:
        match = game.start(2, "versions", rules=rules)
        for _ in range(12):
            match.play(match.legal()[-1])
        for other in (match.clone(), match.resample(0, 1), match.resample(None, 1), tavolino.replay(match.record())):
            assert other.rules == rules
            assert other.legal() == match.legal()


@pytest.mark.parametrize("rules", ["0", "", "1 ", 1])
def test_an_unknown_version_is_refused_with_the_known_ones(game: tavolino.Game, rules: str) -> None:
    with pytest.raises(ValueError, match=r"does not know the rules version .*known here: '1'"):
        game.start(2, "versions", rules=rules)
    record = {**game.start(2, "versions").record(), "rules": rules}
    with pytest.raises(tavolino.BadRecord, match="known here: '1'"):
        tavolino.replay(record)


def test_the_version_is_bound_by_the_chain_of_a_record(game: tavolino.Game) -> None:
    record = game.start(2, "versions").record()
    for rules in game.meta.older_rules:
        with pytest.raises(tavolino.BadRecord, match="chain"):
            tavolino.replay({**record, "rules": rules})
