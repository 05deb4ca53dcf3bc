"""No acknowledged move is lost: a real process, real sockets, `kill -9` again and again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.killing import kill_again_and_again


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_threat_18_fifty_kills_lose_no_acknowledged_move(tmp_path: Path) -> None:
    tally = kill_again_and_again(tmp_path, kills=50, tables=3, seed=18, longest=0.5)
    assert tally.kills == 50
    assert tally.acknowledged > 200
    assert tally.lost == 0
    assert tally.wrong == []
