"""The rules as players read them: every rule in every language, under the same id, with the same mark."""

import re
from pathlib import Path

import pytest

import tavolino

DOCS = Path(__file__).parents[1] / "docs" / "rules"
RULE = re.compile(r"^- \*\*([A-Z]{2}-\d+)((?: [RT])?)\*\* (.+)$", re.M)
RULING = {"en": "Our ruling", "it": "Nostra regola", "pl": "Nasze ustalenie"}
# Rules that differ from the printed ones: who begins, and in Polish whether Thanos has to snap.
DEPARTURES = [
    ("splendor-marvel", "SM-05", "en"),
    ("splendor-marvel", "SM-05", "it"),
    ("splendor-marvel", "SM-05", "pl"),
    ("infinity-gauntlet", "IG-82", "pl"),
]


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


@pytest.mark.parametrize(("name", "rule", "language"), DEPARTURES)
def test_what_differs_from_the_printed_rule_is_marked_as_ours(name: str, rule: str, language: str) -> None:
    page = (tavolino.load(name).folder / "rules" / f"{language}.md").read_text("utf-8")
    text = next(found[3] for found in RULE.finditer(page) if found[1] == rule)
    assert RULING[language] in text


@pytest.mark.parametrize("language", ["en", "it", "pl"])
def test_every_mark_of_a_rule_is_explained_before_the_rules(game: tavolino.Game, language: str) -> None:
    path = game.folder / "rules" / f"{language}.md"
    introduction = path.read_text("utf-8").partition("\n## ")[0]
    marks = {mark for _, mark in rules(path) if mark}
    assert [mark for mark in sorted(marks) if not re.search(rf"\b{mark}\b", introduction)] == []
