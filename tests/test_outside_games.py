"""Games from outside, as after their installation: in a process and with a cache of machine code of their own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tavolino.engine.compiled import IS_PLAIN
from tests.outside.packages import KUHN, environment, install, install_bare_copy

ROOT = Path(__file__).parents[1]


@pytest.mark.slow
@pytest.mark.skipif(IS_PLAIN, reason="the process compiles")
@pytest.mark.parametrize("tests", ["test_kuhn_poker.py", "test_optional_parts.py"])
def test_games_from_outside(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, tests: str) -> None:
    site = tmp_path / "site"
    install(KUHN, site)
    install_bare_copy(site, "bare_poker")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"tests/outside/{tests}"]
    found = os.environ | environment(site, tmp_path_factory)
    done = subprocess.run(command, cwd=ROOT, env=found, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout
