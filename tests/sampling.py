"""Which cases of a product run with `make test`, and which with `make test-slow`."""

from collections.abc import Sequence

import pytest

from tavolino.engine.messages import LANGUAGES


def each_language_and_each(games: Sequence[str]) -> pytest.MarkDecorator:
    """Every game and every language once; the other pairs of them are slow tests."""
    pairs = [(game, language) for game in games for language in LANGUAGES]
    usual = {(game, LANGUAGES[number % len(LANGUAGES)]) for number, game in enumerate(games)}
    usual |= {(games[number % len(games)], language) for number, language in enumerate(LANGUAGES)}
    cases = [pytest.param(*pair, marks=[] if pair in usual else pytest.mark.slow) for pair in pairs]
    return pytest.mark.parametrize(("game", "language"), cases)
