"""Why an action of Mantis is good: the cards that the top card can still be, and who holds their colours."""

from collections import Counter
from typing import Any

from tavolino.engine.explanation import Fact, View
from tavolino.games.mantis.notation import action_params


def explain(view: View, notebook: View, better: str, chosen: str | None) -> list[Fact]:
    """What the better action can match, what a match would bring, and what the chosen one cannot."""
    verb, params = action_params(better)
    if verb == "take":
        target = params["target"]
        return [Fact("take", {"target": target, "score": view["seats"][target]["score"]}, "MA-23")]
    can_be = Counter(card.partition(":")[0] for card in notebook["places"]["draw"]["top"])
    if verb == "end-turn":
        return _after_end_turn(view, can_be)
    facts = [*_match(view, can_be, verb, params), *_prospect(view, can_be, verb, params)]
    if chosen is not None:
        facts += _no_match(view, can_be, chosen)
    return facts


def _owner(view: View, verb: str, params: dict[str, Any]) -> int:
    """The owner of the tank in which the card is turned."""
    owner: int = params["target"] if verb == "steal" else view["seat"]
    return owner


def _match(view: View, can_be: Counter[str], verb: str, params: dict[str, Any]) -> list[Fact]:
    """The colour that would win the most cards there."""
    owner = _owner(view, verb, params)
    tank = view["seats"][owner]["tank"]
    colour = max(can_be, key=lambda each: (can_be[each] * tank[each], each), default=None)
    if colour is None or tank[colour] == 0:
        return []
    total = can_be.total()
    told = {"hits": can_be[colour], "total": total, "colour": colour, "held": tank[colour], "target": owner}
    is_sure = can_be[colour] == total
    if verb == "score":
        return [Fact("sure-own" if is_sure else "match-own", told, "MA-11")]
    return [Fact("sure-other" if is_sure else "match-other", told, "MA-13")]


def _prospect(view: View, can_be: Counter[str], verb: str, params: dict[str, Any]) -> list[Fact]:
    """A match that would win the game, or that would take away cards with which somebody else would win."""
    owner, goal = _owner(view, verb, params), view["goal"]
    seat = view["seats"][owner]
    winning = [colour for colour, held in seat["tank"].items() if held and seat["score"] + held + 1 >= goal]
    in_reach = [colour for colour in winning if can_be[colour]]
    if verb == "score" and in_reach:
        return [Fact("wins", {"goal": goal}, "MA-30")]
    if verb == "steal" and in_reach:
        return [Fact("threat", {"target": owner, "colour": in_reach[0], "score": seat["score"]}, "MA-30")]
    return []


def _no_match(view: View, can_be: Counter[str], chosen: str) -> list[Fact]:
    verb, params = action_params(chosen)
    if verb not in ("score", "steal"):
        return []
    owner = _owner(view, verb, params)
    tank = view["seats"][owner]["tank"]
    if any(tank[colour] for colour in can_be):
        return []
    return [
        Fact("no-match-own", {}, "MA-12") if verb == "score" else Fact("no-match-other", {"target": owner}, "MA-14")
    ]


def _after_end_turn(view: View, can_be: Counter[str]) -> list[Fact]:
    if any(seat["tank"][colour] for seat in view["seats"] for colour in can_be):
        return []
    return [Fact("fresh", {}, "MA-41")]
