"""A game of another package brings its own machine code, which `tavolino compile` makes."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tavolino.engine import ahead
from tavolino.engine.modes import AHEAD, PLAIN, platform_name
from tests.aot.libraries import libraries, run
from tests.outside.packages import KUHN, install

NAME, PACKAGE = "kuhn-poker", "kuhn_poker"
PROGRAM = f"""
import sys
{{before}}
import tavolino
from tavolino.bots import make_bot, SeatMatch
game, hashes = tavolino.load({NAME!r}), []
for seed in range(20):
    match = game.start(2, seed)
    while match.to_act is not None:
        bot = make_bot("hard", game.name, seed, iterations=50)
        match.play(bot.choose(SeatMatch(match, match.to_act)))
    hashes.append(match.hash())
print(hash(tuple(hashes)), "numba" in sys.modules)
"""
WITHOUT_NUMBA = "from tavolino.engine import modes; modes.has_numba = lambda: False"
Played = subprocess.CompletedProcess[str]


def play(site: Path, mode: str = "", before: str = WITHOUT_NUMBA) -> Played:
    """Play where the code of the package's own games, and the caller, are compiled ahead."""
    path = os.pathsep.join(map(str, (site, Path(ahead.__file__).parents[2])))
    folder = libraries("mantis", platform_name())
    return run(mode, "-c", PROGRAM.format(before=before), folder=folder, PYTHONPATH=path, PYTHONHASHSEED="0")


@pytest.mark.slow
def test_a_game_from_outside_is_compiled_into_its_package_and_played_without_numba(tmp_path: Path) -> None:
    site = tmp_path / "site"
    install(KUHN, site)
    before = play(site)
    assert f"the machine code of {NAME} is not usable" in before.stderr
    path = os.pathsep.join(map(str, (site, Path(ahead.__file__).parents[2])))
    made = run("", "-m", "tavolino", "compile", PACKAGE, PYTHONPATH=path)
    assert made.returncode == 0, made.stderr
    code = site / PACKAGE / ahead.FOLDER
    assert {each.name for each in code.iterdir()} == {f"{NAME}.{platform_name()}.{end}" for end in ("so", "json")}
    assert str(site).encode() not in b"".join(each.read_bytes() for each in code.iterdir())
    played = play(site, AHEAD)
    assert (played.returncode, played.stderr) == (0, "")
    assert played.stdout.split() == [before.stdout.split()[0], "False"], "as in ordinary Python"
    assert play(site, PLAIN).stdout == played.stdout

    def is_refused(why: str) -> None:
        done = play(site)
        assert done.stdout == played.stdout, done.stderr
        (sentence,) = done.stderr.splitlines()
        assert f"({why}" in sentence
        assert play(site, AHEAD).returncode != 0

    library = code / f"{NAME}.{platform_name()}.so"
    whole = library.read_bytes()
    library.write_bytes(whole[:20_000])
    is_refused(f"{library.name} is not the file that its manifest describes")
    library.write_bytes(whole)
    rules = site / PACKAGE / "rules.py"
    rules.write_text(rules.read_text() + "# another version\n")
    is_refused("it was made from other sources")
