"""Recorded reviews have the same figures, bit by bit: on every machine and in every version of Python.

After a change of rules, policies, worlds or reviews: `python -m tests.coach.test_recorded_reviews` records them anew.
"""

import json
import subprocess
from dataclasses import astuple
from functools import cache
from pathlib import Path

import pytest

import tavolino
from tavolino.coach import sums
from tavolino.coach.review import Review, review
from tests.coach.games import LITTLE, played, start_of
from tests.pythons import other_pythons

RECORDED = Path(__file__).parent / "recorded_reviews.json"
CASES = [(name, tavolino.load(name).players[0]) for name in tavolino.games()]
# Reads rows of numbers and prints the sum of each, as hexadecimal numbers; needs nothing but the module `sums`.
ADD_UP = """
import json, runpy, sys
plain_sum = runpy.run_path(sys.argv[1])["plain_sum"]
print(json.dumps([plain_sum(map(float.fromhex, row)).hex() for row in json.load(sys.stdin)]))
"""


@cache
def reviewed(game: str, players: int) -> Review:
    match = played(game, players, "recorded review")
    return review(start_of(match), match.record()["actions"], 0, LITTLE)


def figures(found: Review) -> dict[str, list[str]]:
    steps = [value for step in found.steps for value in astuple(step)]
    return {
        "parts": [float(value).hex() for value in (*astuple(found.parts), found.given_away, found.difficulty)],
        "steps": [value.hex() for value in steps if isinstance(value, float)],
    }


@pytest.mark.parametrize(("game", "players"), CASES)
def test_a_recorded_review_is_the_same_to_the_bit(game: str, players: int) -> None:
    assert figures(reviewed(game, players)) == json.loads(RECORDED.read_text())[game]


def test_the_steps_of_a_recorded_review_add_up_to_the_same_bits_in_every_python_there_is() -> None:
    rows = [each["steps"] for each in json.loads(RECORDED.read_text()).values()]
    wanted = [sums.plain_sum(map(float.fromhex, row)).hex() for row in rows]
    for version, python in other_pythons().items():
        command = [python, "-I", "-c", ADD_UP, sums.__file__]
        answer = subprocess.run(command, input=json.dumps(rows), capture_output=True, text=True, check=True).stdout
        assert json.loads(answer) == wanted, version


if __name__ == "__main__":
    RECORDED.write_text(
        json.dumps({game: figures(reviewed(game, players)) for game, players in CASES}, indent=1) + "\n"
    )
