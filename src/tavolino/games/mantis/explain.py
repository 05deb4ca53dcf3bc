"""Why an action of Mantis is good: the cards that the top card can still be, and who holds their colours."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from tavolino.engine.explanation import Fact, Theme, View
from tavolino.games.mantis.notation import action_params

RULES = {"score": "MA-11", "steal": "MA-13"}
# What is said of the cards that match in one's own tank and in another: if some possible cards do, and if all do.
ONE_COLOUR = {"score": ("match-own", "sure-own"), "steal": ("match-other", "sure-other")}
COLOURS = {"score": ("matches-own", "all-own"), "steal": ("matches-other", "all-other")}
FEWER = {"score": "fewer-own", "steal": "fewer-other"}
NONE = {"score": ("no-match-own", "MA-12"), "steal": ("no-match-other", "MA-14")}


def explain(view: View, notebook: View, better: str, chosen: str | None) -> list[Fact]:
    """What the better action can match, what a match would bring, and what the chosen one lacks."""
    verb, params = action_params(better)
    if verb == "take":
        target = params["target"]
        return [Fact("take", {"target": target, "score": view["seats"][target]["score"]}, "MA-23")]
    can_be = Counter(card.partition(":")[0] for card in notebook["places"]["draw"]["top"])
    if verb == "end-turn":
        return _after_end_turn(view, can_be)
    facts = [*_match(view, can_be, verb, params), *_prospect(view, can_be, verb, params)]
    if chosen is not None:
        facts += _instead(view, can_be, better, chosen)
    return facts


def theme(better: str, facts: Sequence[Fact]) -> Theme:
    keys = {fact.key for fact in facts}
    if keys & {"wins", "wins-with"}:
        return "finish"
    return "deny" if keys & {"threat", "take"} else "steal"


def _owner(view: View, verb: str, params: dict[str, Any]) -> int:
    """The owner of the tank in which the card is turned."""
    owner: int = params["target"] if verb == "steal" else view["seat"]
    return owner


def _matching(view: View, can_be: Counter[str], owner: int) -> list[str]:
    """The colours of the possible cards that lie in a tank already."""
    return [colour for colour in can_be if view["seats"][owner]["tank"][colour]]


def _match(view: View, can_be: Counter[str], verb: str, params: dict[str, Any]) -> list[Fact]:
    """How many of the possible cards match there, and which colours these are."""
    owner = _owner(view, verb, params)
    tank = view["seats"][owner]["tank"]
    matching = _matching(view, can_be, owner)
    if not matching:
        return []
    hits, total = sum(can_be[colour] for colour in matching), can_be.total()
    told: dict[str, Any] = {"hits": hits, "total": total, "target": owner}
    keys = (ONE_COLOUR if len(matching) == 1 else COLOURS)[verb]
    if len(matching) == 1:
        told |= {"colour": matching[0], "held": tank[matching[0]]}
    else:
        told |= {"colours": matching}
    return [Fact(keys[hits == total], told, RULES[verb])]


def _prospect(view: View, can_be: Counter[str], verb: str, params: dict[str, Any]) -> list[Fact]:
    """A match that would win the game, or that would take away cards with which somebody else would win."""
    owner, goal = _owner(view, verb, params), view["goal"]
    seat = view["seats"][owner]
    winning = [colour for colour, held in seat["tank"].items() if held and seat["score"] + held + 1 >= goal]
    in_reach = [colour for colour in winning if can_be[colour]]
    if verb == "score" and in_reach:
        if len(in_reach) == len(_matching(view, can_be, owner)):
            return [Fact("wins", {"goal": goal}, "MA-30")]
        return [Fact("wins-with", {"goal": goal, "colours": in_reach}, "MA-30")]
    if verb == "steal" and in_reach:
        colour = max(in_reach, key=lambda each: seat["tank"][each])
        return [Fact("threat", {"target": owner, "colour": colour, "score": seat["score"]}, "MA-30")]
    return []


def _instead(view: View, can_be: Counter[str], better: str, chosen: str) -> list[Fact]:
    """What the chosen action lacks: a match, as many of them, or cards that count at once."""
    verb, params = action_params(chosen)
    if verb not in ("score", "steal"):
        return []
    owner = _owner(view, verb, params)
    hits = sum(can_be[colour] for colour in _matching(view, can_be, owner))
    if not hits:
        key, rule = NONE[verb]
        return [Fact(key, {"target": owner}, rule)]
    wanted, aim = action_params(better)
    if hits < sum(can_be[colour] for colour in _matching(view, can_be, _owner(view, wanted, aim))):
        return [Fact(FEWER[verb], {"hits": hits, "total": can_be.total(), "target": owner}, RULES[verb])]
    return [Fact("stolen", {}, "MA-13")] if (wanted, verb) == ("score", "steal") else []


def _after_end_turn(view: View, can_be: Counter[str]) -> list[Fact]:
    if any(seat["tank"][colour] for seat in view["seats"] for colour in can_be):
        return []
    return [Fact("fresh", {}, "MA-41")]
