"""The policy of each game, and how the levels play a game that has no heuristic."""

from functools import cache

from tavolino.engine.net import NO_NET, Net
from tavolino.engine.net_files import Nets, nets_in
from tavolino.engine.policy import Policy, SearchSettings
from tavolino.games import games, load, part_of

SEARCHING = ("hard", "expert")
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


def nets_of(game: str) -> Nets:
    """The nets of a game; if there are none, or they cannot be used, `expert` plays like `hard`."""
    return nets_in(load(game).folder, game, policy_of(game).net)


def net_of(level: str, game: str, players: int) -> Net:
    """The net that a level evaluates positions with, or NO_NET."""
    return nets_of(game).net(players) if level == "expert" else NO_NET


def settings_of(level: str, game: str) -> SearchSettings:
    """The settings of the search of a level, with the iterations of a table."""
    policy = policy_of(game)
    if level == "expert" and nets_of(game).version is not None:
        return policy.search_with_net or policy.search
    return policy.search


def kind_of(level: str, game: str) -> str:
    """How a level plays a game: "random", "heuristic" or "search"."""
    if level in SEARCHING or level == "random":
        return "random" if level == "random" else "search"
    if policy_of(game).has_heuristic:
        return "heuristic"
    return "search" if level == "medium" else "random"


def fallback(level: str, game: str) -> str | None:
    """A sentence for users if a level does not play this game as its name suggests; else None."""
    kind = kind_of(level, game)
    if level == "expert" and (nets := nets_of(game)).version is None:
        return f"{nets.problem or f'{game} has no net.'} There expert plays like hard."
    if level == "easy" and kind == "random":
        return f"{game} has no heuristic: easy plays at random."
    if level == "medium" and kind == "search":
        return f"{game} has no heuristic: medium searches like hard, with {MEDIUM_SHARE:.0%} of its iterations."
    return None
