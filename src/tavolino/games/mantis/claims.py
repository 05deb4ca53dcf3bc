"""How the facts about actions of Mantis are checked: by turning the top card in worlds that are possible for the seat.

The top card is one of three at most, so that a few worlds show every one of them.
"""

from collections.abc import Sequence
from typing import Any

from tavolino.engine.explanation import Claim, Fact, Worth, in_all
from tavolino.engine.match import Match

WORLDS = 24  # one of three cards is missing in one of 5,000 times


def _turned(world: Match, action: str) -> Any:
    """The card that the action turns in that world; None if it turns none."""
    return next((event for event in world.clone().play(action) if event["kind"] == "turned"), None)


def _matches(world: Match, seat: int, action: str, fact: Fact) -> float:
    turned = _turned(world, action)
    return float(turned is not None and turned["matched"])


def _cards(world: Match, seat: int, action: str, fact: Fact) -> float:
    """How many cards a match brings, with the one that is turned."""
    turned = _turned(world, action)
    return float(turned["count"]) if turned is not None and turned["matched"] else 0.0


def _counts(worlds: Sequence[Match], seat: int, action: str, fact: Fact) -> bool:
    """Whether as many of the possible cards match as is said, in these colours, in the tank of that seat."""
    cards = {turned["card"]: turned for world in worlds if (turned := _turned(world, action)) is not None}
    matching = {card.partition(":")[0] for card, turned in cards.items() if turned["matched"]}
    hits = sum(turned["matched"] for turned in cards.values())
    named = fact.params.get("colours") or [fact.params[name] for name in ("colour",) if name in fact.params]
    tank = worlds[0].view(seat)["seats"][fact.params["target"]]["tank"]
    return (
        (fact.params.get("hits", 0), fact.params.get("total", len(cards))) == (hits, len(cards))
        and (not named or {*named} == matching)
        and all(turned["target"] == fact.params["target"] for turned in cards.values())
        and ("held" not in fact.params or tank[fact.params["colour"]] == fact.params["held"])
    )


def _wins(world: Match, seat: int, action: str, fact: Fact) -> float:
    played = world.clone()
    played.advance(action)
    return float(played.outcome is not None and seat in played.outcome.winners)


def _a_match_wins(world: Match, seat: int, action: str, fact: Fact) -> bool:
    """A match wins; if colours are named, a match in one of them."""
    turned, colours = _turned(world, action), fact.params.get("colours")
    is_meant = turned is not None and (turned["card"].partition(":")[0] in colours if colours else turned["matched"])
    return not is_meant or bool(_wins(world, seat, action, fact))


def _threatens(world: Match, seat: int, action: str, fact: Fact) -> bool:
    view, colour = world.view(seat), fact.params["colour"]
    other = view["seats"][fact.params["target"]]
    return bool(other["score"] == fact.params["score"] and other["score"] + other["tank"][colour] + 1 >= view["goal"])


def _takes_away(world: Match, seat: int, action: str, fact: Fact) -> float:
    """Whether the other one has no cards of the colour any more."""
    played = world.clone()
    played.advance(action)
    return float(played.view(seat)["seats"][fact.params["target"]]["tank"][fact.params["colour"]] == 0)


def _score_of(world: Match, seat: int, action: str, fact: Fact) -> float:
    described = world.game.described(action)["params"]
    return float(world.view(seat)["seats"][described["target"]]["score"]) if "target" in described else 0.0


def _scores(world: Match, seat: int, action: str, fact: Fact) -> float:
    played = world.clone()
    played.advance(action)
    return float(played.view(seat)["seats"][seat]["score"] - world.view(seat)["seats"][seat]["score"])


def _usually_scores_nothing(worlds: Sequence[Match], seat: int, action: str, fact: Fact) -> bool:
    scored = sum(_scores(world, seat, action, fact) > 0 for world in worlds)
    return 2 * scored < len(worlds)


def _is_fresh(world: Match, seat: int, action: str, fact: Fact) -> bool:
    """Whether the next player can match nothing with the card that is left."""
    played = world.clone()
    played.advance(action)
    return not any(_matches(played, seat, each, fact) for each in played.legal())


def _ends_turn(world: Match, seat: int, action: str, fact: Fact) -> float:
    return float(action == "end-turn")


def _same_score(world: Match, seat: int, action: str, fact: Fact) -> bool:
    return _score_of(world, seat, action, fact) == fact.params["score"]


def _of_both(worth: Worth, *kinds: str, is_of_chosen: bool = False) -> dict[str, Claim]:
    """The same claim about the own tank and about another one."""
    return {f"{kind}-{whose}": Claim(_counts, worth, is_of_chosen) for kind in kinds for whose in ("own", "other")}


CLAIMS = {
    **_of_both(_cards, "match", "sure", "matches", "all"),
    **_of_both(_matches, "fewer", "no-match", is_of_chosen=True),
    "wins": Claim(in_all(_a_match_wins), _wins),
    "wins-with": Claim(in_all(_a_match_wins), _wins),
    "threat": Claim(in_all(_threatens), _takes_away),
    "stolen": Claim(_usually_scores_nothing, _scores, is_of_chosen=True),
    "fresh": Claim(in_all(_is_fresh), _ends_turn),
    "take": Claim(in_all(_same_score), _score_of),
}
