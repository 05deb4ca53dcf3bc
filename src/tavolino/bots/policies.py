"""The policy of each game, and how the levels play a game that has no heuristic."""

from functools import cache

from tavolino.engine.policy import Policy
from tavolino.games import games, load, part_of

MEDIUM_SHARE = 0.1  # in a game without a heuristic, `medium` searches with this share of the iterations of `hard`


@cache
def policy_of(game: str) -> Policy:
    """The policy of a game, or the default one; loading it registers its compiled functions."""
    if game not in games():
        raise ValueError(f"There are no bots for {game!r}. Games with bots: {', '.join(games())}.")
    module = part_of(game, "policy")
    if module is None:
        return Policy(load(game).record)
    policy: Policy = module.POLICY
    return policy


def kind_of(level: str, game: str) -> str:
    """How a level plays a game: "random", "heuristic" or "search"."""
    if level in ("random", "hard"):
        return "random" if level == "random" else "search"
    if policy_of(game).has_heuristic:
        return "heuristic"
    return "search" if level == "medium" else "random"


def fallback(level: str, game: str) -> str | None:
    """A sentence for users if a level does not play this game as its name suggests; else None."""
    kind = kind_of(level, game)
    if level == "easy" and kind == "random":
        return f"{game} has no heuristic: easy plays at random."
    if level == "medium" and kind == "search":
        return f"{game} has no heuristic: medium searches like hard, with {MEDIUM_SHARE:.0%} of its iterations."
    return None
