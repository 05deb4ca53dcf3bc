"""A feature from outside, as after its installation: in a process of its own."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.outside.packages import DICE_ROLLS, install

ROOT = Path(__file__).parents[1]
GUIDE = (ROOT / "docs" / "guides" / "add-a-feature.md").read_text("utf-8")
SHOWN = {"toml": "pyproject.toml", "python": "dice_rolls/__init__.py", "js": "dice_rolls/page/panel.js"}


@pytest.mark.parametrize(("language", "file"), SHOWN.items())
def test_the_guide_shows_the_files_of_the_package(language: str, file: str) -> None:
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    assert blocks
    for block in blocks:
        assert block in (DICE_ROLLS / file).read_text("utf-8")


@pytest.mark.slow
def test_a_feature_from_outside(tmp_path: Path) -> None:
    install(DICE_ROLLS, site := tmp_path / "site")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/outside/test_dice_rolls.py"]
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join((str(site), os.environ.get("PYTHONPATH", "")))}
    done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout
