"""The rules as players read them: every rule in every language, under the same id, with the same mark."""

import re
from pathlib import Path

import pytest

import tavolino

DOCS = Path(__file__).parents[1] / "docs" / "rules"
RULE = re.compile(r"^- \*\*([A-Z]{2}-\d+)((?: [RT])?)\*\* (.+)$", re.M)


def rules(path: Path) -> list[tuple[str, str]]:
    return [(found[1], found[2].strip()) for found in RULE.finditer(path.read_text("utf-8"))]


@pytest.mark.parametrize("language", ["en", "it", "pl"])
def test_a_language_has_every_rule_of_the_docs_once(game: tavolino.Game, language: str) -> None:
    page = rules(game.folder / "rules" / f"{language}.md")
    named = re.findall(r"^- \*\*([A-Z]{2}-\d+)", (DOCS / f"{game.name}.md").read_text("utf-8"), re.M)
    assert [rule for rule, _ in page] == sorted({rule for rule, _ in page})
    assert {rule for rule, _ in page} == set(named)


def test_the_languages_agree_on_what_is_a_ruling(game: tavolino.Game) -> None:
    english, *others = [rules(game.folder / "rules" / f"{language}.md") for language in ("en", "it", "pl")]
    assert all(page == english for page in others)
