"""The same observations and batches as ordinary Python and compiled, on the same seeds."""

import hashlib
import os
import random
import subprocess
import sys
from typing import Any

import pytest

from tavolino.engine.game import Game
from tavolino.research.batch import BatchEnv
from tavolino.research.table import Setting, Table


def fingerprint(name: str) -> str:
    """Of what a few seats see in the first decisions of a table and of a batch."""
    digest = hashlib.sha256()
    table = Table(Setting(name, 3, keeps_log=True))
    table.begin("plain")
    chance = random.Random(name)
    for _ in range(25):
        if table.to_act < 0:
            break
        for seat in range(3):
            for array in table.encode(seat):
                digest.update(array.tobytes())
        digest.update(table.information_state(0).encode())
        table = table.resample(table.to_act, chance.getrandbits(40))
        table.play(chance.choice(table.legal()))
    env = BatchEnv(name, 2, 3, knowledge=True)
    env.reset(seed=1)
    for _ in range(6):
        observations, rewards, is_over, _, infos = env.step(env.sample_actions())
        arrays: tuple[Any, ...] = (observations, rewards, is_over, infos["action_mask"])
        for array in arrays:
            digest.update(array.tobytes())
    return digest.hexdigest()


@pytest.mark.plain
def test_it_runs(game: Game) -> None:
    assert len(fingerprint(game.name)) == 64


def test_ordinary_python_sees_the_same_as_compiled_code(game: Game) -> None:
    code = f"from test_research_plain import fingerprint; print(fingerprint({game.name!r}))"
    paths = os.pathsep.join([os.path.dirname(__file__), *sys.path])
    plain = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": paths},
        check=True,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert plain.stdout.strip() == fingerprint(game.name)
