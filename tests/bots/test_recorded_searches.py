"""Recorded searches grow the same trees, bit by bit: on every machine, compiled or as ordinary Python.

After a change of rules, policies or worlds: `python -m tests.bots.test_recorded_searches` records them anew.
"""

import hashlib
import json
from pathlib import Path

import pytest

import tavolino
from tavolino.bots.levels import Search
from tavolino.bots.policies import policy_of

RECORDED = Path(__file__).parent / "recorded_searches.json"
ITERATIONS = 60
DECISIONS = 9  # after so many the search begins


def fingerprint(game: str, players: int) -> str:
    """The hash of every number in the tree of a search, in the order of the fields."""
    match = tavolino.load(game).start(players, f"recorded {players}")
    for number in range(DECISIONS):
        match.play(match.legal()[number * 7 % len(match.legal())])
    assert match.to_act is not None
    policy = policy_of(game)
    world = match.resample(match.to_act, players)
    search = Search(match.game, world._states, match.to_act, players, policy.search, policy.weights_of("hard"))
    search.run(iterations=ITERATIONS)
    nodes, edges, used = search._tree
    digest = hashlib.sha256()
    for part, n in ((nodes, used[0]["nodes"]), (edges, used[0]["edges"])):
        for name in part.dtype.names:
            digest.update(part[name][:n].tobytes())
    return digest.hexdigest()[:32]


CASES = [(name, players) for name in tavolino.games() for players in (2, 4)]


@pytest.mark.plain
@pytest.mark.parametrize(("game", "players"), CASES)
def test_a_recorded_search_grows_the_same_tree_to_the_bit(game: str, players: int) -> None:
    assert fingerprint(game, players) == json.loads(RECORDED.read_text())[f"{game} {players}"]


if __name__ == "__main__":
    found = {f"{game} {players}": fingerprint(game, players) for game, players in CASES}
    RECORDED.write_text(json.dumps(found, indent=2) + "\n")
