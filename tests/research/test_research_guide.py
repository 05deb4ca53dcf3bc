"""The research guide matches the code: its tables are generated, and its examples run."""

import re
from pathlib import Path

import pytest

from tavolino.research.guide_tables import rewrite

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "research.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)


def test_the_tables_of_the_guide_are_those_of_the_code() -> None:
    """If this fails: python -m tavolino.research.guide_tables docs/guides/research.md"""
    guide = GUIDE.read_text(encoding="utf-8")
    assert rewrite(guide) == guide


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda text: text.strip().split("\n")[0])
def test_the_examples_of_the_guide_run(example: str) -> None:
    exec(compile(example, str(GUIDE), "exec"), {})


def test_there_are_examples() -> None:
    assert len(EXAMPLES) == 6
