"""Clients play through three nodes while things break: nothing that was acknowledged is lost, no seat sees too much.

The long form, with a million moves and 500 faults, is in `scripts/test-long`.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import uvloop

from tests.nodes.campaign import Found, Wish, campaign

pytestmark = pytest.mark.timeout(600)
EVERY_KIND = 15  # of faults, once each


def play(folder: Path, wish: Wish) -> Found:
    found = uvloop.run(campaign(wish, folder))
    print(found)
    return found


@pytest.mark.slow
def test_threat_18_three_nodes_lose_nothing_and_tell_nobody_too_much(tmp_path: Path) -> None:
    found = play(tmp_path, Wish(moves=1_000, faults=EVERY_KIND, longest=2.0))
    assert found.violations == []
    assert sum(found.faults.values()) >= EVERY_KIND
    assert found.tally.moves >= 1_000


@pytest.mark.long
@pytest.mark.parametrize(
    ("fault", "only", "kinds"),
    [
        # Two tabs of one person move at two nodes, and the second overwrites what the first was told.
        ("no-key", ("reset the clients",), {"lost", "shown", "damaged", "stuck"}),
        ("ack-before-commit", ("kill a node",), {"lost", "ahead", "stuck"}),
        # A node that was paused for longer than a lease wakes up and goes on to drive.
        ("no-epoch", ("pause a node for longer than a lease",), {"lease"}),
    ],
)
def test_a_planted_fault_is_found(tmp_path: Path, fault: str, only: tuple[str, ...], kinds: set[str]) -> None:
    wish = Wish(moves=150, faults=3, longest=1.0, fault=fault, only=only, games=("mantis",), end_seconds=5.0)
    if fault == "no-epoch":
        wish = replace(wish, only_with_bots=True, think=0.2)
    found = play(tmp_path, wish)
    assert kinds & {violation.kind for violation in found.violations}
