"""Files of puzzles that somebody else has written: sound ones are offered, the rest is left out with a sentence."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import tavolino
from tavolino.coach.puzzle_files import FILES, puzzles_of, with_more

GAME = tavolino.load("mantis")


def rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in gzip.decompress((GAME.folder / FILES[0]).read_bytes()).splitlines()]


def own_puzzle() -> dict[str, Any]:
    """A position that does not come with the game."""
    row, match = rows()[0], GAME.start(3, "a puzzle of our own")
    best, *others = match.legal()
    chances = [(best, 0.6), *((other, 0.4) for other in others)]
    actions = [
        {"action": each, "chance": chance, "error": 0.01, "worlds": 64, "estimate": False} for each, chance in chances
    ]
    return {**row, "record": match.record(), "seat": match.to_act, "best": best, "usual": others[0], "actions": actions}


def test_puzzles_of_another_file_come_with_those_of_the_game(tmp_path: Path) -> None:
    more = own_puzzle()
    path = tmp_path / "mantis.jsonl"
    path.write_text(json.dumps(more) + "\n", "utf-8")
    said: list[str] = []
    found = with_more(GAME, path, said.append)
    assert said == []
    assert set(found) - set(puzzles_of(GAME)) == {more["record"]["chain"][:12]}
    assert with_more(GAME, tmp_path / "none.jsonl", said.append).keys() == puzzles_of(GAME).keys()


def _changed(**changes: Any) -> str:
    return json.dumps({**rows()[0], **changes})


def _without(key: str) -> str:
    return json.dumps({name: value for name, value in rows()[0].items() if name != key})


def _changed_record(**changes: Any) -> str:
    row = rows()[0]
    return json.dumps({**row, "record": {**row["record"], **changes}})


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "no puzzle"),
        ("[1]", "no puzzle"),
        (_changed_record(game="splendor-marvel"), "a puzzle of splendor-marvel, not of mantis"),
        (_changed_record(actions=["steal 1"]), "cannot be played (The game file’s chain does not fit"),
        (_changed(actions=[]), "the actions do not fit"),
        (_changed(seat=9), "the actions do not fit"),
        (_changed(best="castle"), "the actions do not fit"),
        (_changed(actions="none"), "cannot be played"),
        (_changed(found_by="many"), "cannot be played"),
        (_without("usual"), "cannot be played ('usual')"),
        (_changed(usual="castle"), "the actions do not fit"),
        (_changed(usual=rows()[0]["best"]), "the actions do not fit"),
        (_changed(cost=7.0), "chances are from 0 to 1"),
        (_changed(cost=float("nan")), "chances are from 0 to 1"),
        (_changed(theme="gardening"), "themes are known words"),
    ],
)
def test_what_is_no_sound_puzzle_of_the_game_is_left_out_with_the_line(tmp_path: Path, line: str, said: str) -> None:
    path = tmp_path / "mantis.jsonl"
    path.write_text(f"\n{line}\n", "utf-8")
    refused: list[str] = []
    found = with_more(GAME, path, refused.append)
    assert found.keys() == puzzles_of(GAME).keys()
    (sentence,) = refused
    assert f"{path}, line 2: " in sentence
    assert said in sentence
