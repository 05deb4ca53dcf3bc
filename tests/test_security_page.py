"""docs/security.md has a line for every requirement of ASVS 5.0.0 up to level 2, and names tests that exist."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "security.md").read_text("utf-8")
# The requirements of levels 1 and 2 of version 5.0.0, by section.
LEVEL_2 = """
1.1:1-2 1.2:1-9 1.3:1-11 1.4:1-3 1.5:1-2 2.1:1-3 2.2:1-3 2.3:1-4 2.4:1 3.2:1-2 3.3:1-4 3.4:1-6 3.5:1-5 3.7:1-2
4.1:1-3 4.2:1 4.3:1-2 4.4:1-4 5.1:1 5.2:1-3 5.3:1-2 5.4:1-3 6.1:1-3 6.2:1-12 6.3:1-4 6.4:1-4 6.5:1-5 6.6:1-3
6.8:1-4 7.1:1-3 7.2:1-4 7.3:1-2 7.4:1-5 7.5:1-2 7.6:1-2 8.1:1-2 8.2:1-3 8.3:1 8.4:1 9.1:1-3 9.2:1-4 10.1:1-2
10.2:1-2 10.3:1-4 10.4:1-11 10.5:1-5 10.6:1-2 10.7:1-3 11.1:1-2 11.2:1-3 11.3:1-3 11.4:1-4 11.5:1 11.6:1
12.1:1-3 12.2:1-2 12.3:1-4 13.1:1 13.2:1-5 13.3:1-2 13.4:1-5 14.1:1-2 14.2:1-4 14.3:1-3 15.1:1-3 15.2:1-3
15.3:1-7 16.1:1 16.2:1-5 16.3:1-4 16.4:1-3 16.5:1-3 17.1:1 17.2:1-4 17.3:1-2
"""
ROW = re.compile(r"^\| (V[^|]*) \| (yes|no|operator|–) \| ([^|]*) \| ?([^|]*)\|$", re.M)


def span(text: str) -> set[int]:
    first, _, last = text.replace("–", "-").partition("-")
    return set(range(int(first), int(last or first) + 1))


def required() -> set[tuple[str, int]]:
    sections = (part.split(":") for part in LEVEL_2.split())
    return {(section, number) for section, numbers in sections for part in numbers.split(",") for number in span(part)}


def named(cell: str, every: set[tuple[str, int]]) -> list[tuple[str, int]]:
    """What one cell is about: `V6.2.1–12`, `V7.4.1, V7.4.3`, or a whole chapter `V10`."""
    found: list[tuple[str, int]] = []
    for part in cell.split(", "):
        chapter, *rest = part.removeprefix("V").split(".")
        if rest:
            found += [(f"{chapter}.{rest[0]}", number) for number in sorted(span(rest[1]))]
        else:
            found += [each for each in every if each[0].split(".")[0] == chapter]
    return found


def test_every_requirement_up_to_level_2_has_one_line() -> None:
    every = required()
    assert len(every) == 253
    rows = ROW.findall(PAGE)
    assert len(rows) == sum(line.startswith("| V") for line in PAGE.splitlines()), "a line that cannot be read"
    listed = [each for cell, *_ in rows for each in named(cell, every)]
    assert every - set(listed) == set(), "without a line"
    assert set(listed) - every == set(), "not of this standard"
    assert len(listed) == len(set(listed)), "twice"


def test_every_test_that_is_named_exists() -> None:
    written = {
        name
        for path in (ROOT / "tests").rglob("*.py")
        for name in re.findall(r"^\s*(?:async )?def (test_\w+)", path.read_text("utf-8"), re.M)
    }
    named_tests = set(re.findall(r"`(test_\w+)`", "".join(row[3] for row in ROW.findall(PAGE))))
    assert len(named_tests) > 30
    assert named_tests - written == set()


def test_what_is_not_met_says_why() -> None:
    for cell, applies, how, _ in ROW.findall(PAGE):
        assert how.strip(), cell
        if applies == "no":
            assert len(how) > 40, cell
