"""Every threat in docs/threats.md has a test with its number, and no test has another number."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_threats_and_tests_name_each_other() -> None:
    described = {int(n) for n in re.findall(r"^(\d+)\. ", (ROOT / "docs" / "threats.md").read_text("utf-8"), re.M)}
    tested = {
        int(n)
        for path in (ROOT / "tests").rglob("test_*.py")
        for n in re.findall(r"^\s*(?:async )?def test_threat_(\d+)_", path.read_text("utf-8"), re.M)
    }
    assert len(described) >= 27
    assert described - tested == set(), "threats without a test"
    assert tested - described == set(), "tests of threats that are not described"


def test_the_points_of_the_attack_name_tests_that_exist() -> None:
    page = (ROOT / "docs" / "threats.md").read_text("utf-8")
    rows = re.findall(r"^\| (\d+) [^|]*\| ([^|]*) \|$", page, re.M)
    assert [int(point) for point, _ in rows] == list(range(1, 26))
    written = {
        name
        for path in (ROOT / "tests").rglob("*.py")
        for name in re.findall(r"^\s*(?:async )?def (test_\w+)", path.read_text("utf-8"), re.M)
    }
    for point, tests in rows:
        named = re.findall(r"`(test_\w+)`", tests)
        assert named, point
        assert set(named) <= written, point
