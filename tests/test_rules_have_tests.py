"""Every rule has a test, and every test that names a rule names one that exists."""

import re
from pathlib import Path

from tavolino.games import games, meta_of

HERE = Path(__file__).parent
RULES = HERE.parent / "docs" / "rules"
ID = rf"(?:{'|'.join(meta_of(game).rule_prefix for game in games())})-\d\d"


def rules_in_docs() -> set[str]:
    return {rule for page in RULES.glob("*.md") for rule in re.findall(rf"\*\*({ID})", page.read_text())}


def rules_in_tests() -> set[str]:
    found: set[str] = set()
    for path in HERE.rglob("test_*.py"):
        for marks in re.findall(r"mark\.rule\(([^)]*)\)", path.read_text()):
            found |= set(re.findall(ID, marks))
    return found


def rules_of_the_table() -> set[str]:
    """Rules that the server enforces, with the reason for each."""
    lines = (HERE / "games" / "rules_for_the_server.txt").read_text().splitlines()
    return {line.split()[0] for line in lines if re.match(ID, line)}


def test_every_rule_has_a_test() -> None:
    assert len(rules_in_docs()) > 100
    assert sorted(rules_in_docs() - rules_in_tests() - rules_of_the_table()) == []


def test_every_rule_that_a_test_names_exists() -> None:
    assert sorted(rules_in_tests() - rules_in_docs()) == []


def test_what_is_left_to_the_table_is_marked_so_in_the_rules() -> None:
    text = "\n".join(page.read_text() for page in RULES.glob("*.md"))
    for rule in rules_of_the_table():
        assert re.search(rf"\*\*{rule}[^*]*T[^*]*\*\*", text), rule
