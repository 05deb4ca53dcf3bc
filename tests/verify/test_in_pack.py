"""The offline pack in node says of every file what `tavolino verify` says, in the same words."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import tavolino
from tavolino.engine.messages import LANGUAGES
from tavolino.offline.building import WITH_NODE
from tavolino.server.verify.telling import told_file
from tests.offline.test_in_node import FIRST, GAMES, pack
from tests.verify.files import GameFile, files

HERE = Path(__file__).parent
pytestmark = pytest.mark.slow


def language_of(number: int) -> str:
    return LANGUAGES[number % len(LANGUAGES)]


def in_pack(folder: Path, checked: Sequence[GameFile], tmp_path: Path) -> list[Any]:
    listed = [
        (base64.b64encode(each.content).decode(), each.kept.commitment, each.kept.salt, language_of(number))
        for number, each in enumerate(checked)
    ]
    (tmp_path / "files.json").write_text(json.dumps(listed), "utf-8")
    command = [str(WITH_NODE), "node", str(HERE / "check.mjs"), str(folder), str(tmp_path / "files.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


def here(checked: Sequence[GameFile]) -> list[Any]:
    return [told_file(each.content, each.kept, language_of(number)) for number, each in enumerate(checked)]


@pytest.mark.parametrize("game", GAMES)
def test_both_say_the_same_of_every_file(game: str, tmp_path: Path) -> None:
    checked = list(files(game))
    said = in_pack(pack(game), checked, tmp_path)
    expected = here(checked)
    differing = [each.name for each, one, other in zip(checked, said, expected, strict=True) if one != other]
    assert differing == []


def test_a_record_of_a_game_that_the_pack_lacks_is_not_checked(tmp_path: Path) -> None:
    other = next(name for name in tavolino.games() if name != FIRST)
    good = [each for each in files(other) if each.name.startswith("good") and each.expected == "consistent"]
    for told in in_pack(pack(FIRST), good, tmp_path):
        assert told["result"] == "unchecked"
        (check,) = (check for check in told["checks"] if check["key"] == "replay")
        assert check["holds"] is None
        assert other in check["text"]


def test_a_changed_line_of_the_frozen_python_is_found(tmp_path: Path) -> None:
    changed = tmp_path / "pack"
    shutil.copytree(pack(FIRST), changed)
    script = changed / "checking.mjs"
    planted = "from tavolino.server.games import fairness\nfairness.chance_seat = lambda seed, seats: 0\n"
    script.write_text(script.read_text().replace("checking\n`", f"{planted}checking\n`"))
    assert planted in script.read_text()
    good = [each for each in files(FIRST) if each.name.startswith("good")]
    assert in_pack(changed, good, tmp_path) != here(good)
