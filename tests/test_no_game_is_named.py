"""A game is one folder: nothing outside the games' folders names a game, nor the ids of a game's rules."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tavolino.games import games, meta_of

ROOT = Path(__file__).parents[1]
ROOTS = (
    "src/tavolino",
    "scripts",
    "deploy",
    "pyproject.toml",
    "hatch_build.py",
    "web/src",
    "web/public",
    "web/scripts",
)
GAMES_FOLDERS = ("src/tavolino/games", "web/src/games")
SAID_ELSEWHERE = {"infinity", "marvel"}  # JavaScript's largest number; the page's word on who it has no ties to
IGNORED = {"__pycache__", "node_modules", "dist", "page"}


def spellings(game: str) -> set[str]:
    """A name as people, Python, TypeScript and registries write it, and each of its words."""
    words = game.split("-")
    return {"[-_ :]*".join(words), *(word for word in words if word not in SAID_ELSEWHERE)}


def patterns() -> list[re.Pattern[str]]:
    found = []
    for game in games():
        prefix = meta_of(game).rule_prefix
        found += [re.compile(spelling, re.IGNORECASE) for spelling in spellings(game)]
        found += [re.compile(rf"\b{prefix}-(\d|\\d|\[)"), re.compile(rf"[(|]{prefix}[)|]")]
    return found


def files(root: str) -> Iterator[Path]:
    start = ROOT / root
    for path in [start] if start.is_file() else sorted(start.rglob("*")):
        inside = path.relative_to(ROOT)
        if not path.is_file() or IGNORED & set(inside.parts):
            continue
        if not any(inside.is_relative_to(folder) for folder in GAMES_FOLDERS):
            yield path


@pytest.mark.parametrize("root", ROOTS)
def test_no_game_is_named(root: str) -> None:
    looked_for, found, count = patterns(), [], 0
    for path in files(root):
        count += 1
        texts = [str(path.relative_to(ROOT)), *path.read_text("utf-8", "ignore").splitlines()]
        for number, text in enumerate(texts):
            if any(pattern.search(text) for pattern in looked_for):
                found.append(f"{path.relative_to(ROOT)}:{number}: {text.strip()[:120]}")
    assert count > 0
    assert found == []


def test_what_is_looked_for_would_be_found() -> None:
    """In the games' own folders."""
    for game in games():
        folder = ROOT / "src/tavolino/games" / game.replace("-", "_")
        texts = [path.read_text("utf-8") for path in folder.rglob("*.py")]
        for pattern in (*map(re.compile, spellings(game)), re.compile(rf"\b{meta_of(game).rule_prefix}-\d")):
            assert any(pattern.search(text) for text in texts), pattern.pattern
