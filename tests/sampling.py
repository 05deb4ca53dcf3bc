"""How much is tried: which cases of a product run in which speed, and how often random play is repeated."""

import os
from collections.abc import Sequence

import pytest

from tavolino.engine.messages import LANGUAGES

IS_LONG_RUN = os.environ.get("TAVOLINO_TEST_MANY") == "1"


def few_or_many(few: int, many: int) -> int:
    """How often a test tries what it draws by chance: `many` in the long runs (`make test-long`), else `few`."""
    return many if IS_LONG_RUN else few


def each_language_and_each(
    games: Sequence[str], others: pytest.MarkDecorator = pytest.mark.long
) -> pytest.MarkDecorator:
    """Every game and every language once; the other pairs of them are left to the long runs, or to `others`."""
    pairs = [(game, language) for game in games for language in LANGUAGES]
    usual = {(game, LANGUAGES[number % len(LANGUAGES)]) for number, game in enumerate(games)}
    usual |= {(games[number % len(games)], language) for number, language in enumerate(LANGUAGES)}
    cases = [pytest.param(*pair, marks=[] if pair in usual else others) for pair in pairs]
    return pytest.mark.parametrize(("game", "language"), cases)
