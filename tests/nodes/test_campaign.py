"""Clients play through three nodes while things break: nothing that was acknowledged is lost, no seat sees too much.

The long form, with a million moves and 500 faults, is in `scripts/test-long`; that the checker finds what it should is
shown by `test_planted_faults.py`.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import uvloop

from tests import tallies
from tests.nodes.campaign import Found, Plan, campaign, part_left

pytestmark = pytest.mark.timeout(600)
EVERY_KIND = 16  # of faults, once each


def play(folder: Path, plan: Plan) -> Found:
    found = uvloop.run(campaign(plan, folder))
    print(found)
    return found


@pytest.mark.slow
def test_threat_18_three_nodes_lose_nothing_and_tell_nobody_too_much(tmp_path: Path) -> None:
    found = play(tmp_path, Plan(moves=1_000, faults=EVERY_KIND, longest=2.0))
    assert found.violations == []
    assert sum(found.faults.values()) >= EVERY_KIND
    assert found.tally.moves >= 1_000


def test_parts_of_a_long_run_add_up(tmp_path: Path) -> None:
    file = tmp_path / "sums.json"
    assert tallies.read(file) == {}
    done = []
    for moves, faults in ((40, {"kill a node": 2}), (50, {"kill a node": 1, "kill Redis": 1}), (20, {})):
        done.append(part_left(100, 3, tallies.read(file).get("moves", 0)))
        sums = tallies.add(file, {"moves": moves, "of each kind": faults})
    assert done == [34, 34, 10], "a third each, and then what is left"
    assert sums == {"goes": 3, "moves": 110, "of each kind": {"kill a node": 3, "kill Redis": 1}}
    assert part_left(100, 3, sums["moves"]) == 0
