"""Why an action of Splendor: Marvel is good: what it gains, what it makes affordable, what it denies to others."""

from collections import Counter
from typing import Any

from tavolino.engine.explanation import Fact, View
from tavolino.games.splendor_marvel.game import GAME
from tavolino.games.splendor_marvel.notation import action_params

PARTS: dict[str, Any] = GAME.parts["cards"]
PLACES: dict[str, Any] = GAME.parts["locations"]


def explain(view: View, notebook: View, better: str, chosen: str | None) -> list[Fact]:
    """Facts about the better action, and what the chosen one leaves to somebody else."""
    verb, params = action_params(better)
    facts: list[Fact] = []
    if verb in ("recruit", "reserve"):
        card = params["card"]
        if verb == "recruit":
            facts += _brings(view, card)
        facts += _denies(view, card)
        if verb == "reserve":
            facts += _worth(card)
    elif verb in ("take", "take-two"):
        taken = params.get("colours") or [params["colour"]] * 2
        facts += _within_reach(view, taken)
    elif verb == "visit":
        facts.append(
            Fact("visit", {"location": params["location"], "points": PLACES[params["location"]]["points"]}, "SM-22")
        )
    if chosen is not None:
        facts += _left_behind(view, chosen, {fact.params.get("card") for fact in facts})
    return facts


def _means(seat: Any) -> Counter[str]:
    return Counter(seat["tokens"]) + Counter(seat["bonuses"])


def _missing(cost: Any, means: Counter[str]) -> int:
    """How many tokens are missing after bonuses, tokens and grey ones."""
    return max(0, sum(max(0, n - means[colour]) for colour, n in cost.items()) - means["grey"])


def _brings(view: View, card: str) -> list[Fact]:
    seat, part = view["seats"][view["seat"]], PARTS[card]
    bonuses = Counter(seat["bonuses"]) + Counter({part["bonus"]: 1})
    facts = []
    if part["points"]:
        total = seat["points"] + part["points"]
        told = {"card": card, "points": part["points"], "total": total, "goal": view["goal"]["points"]}
        facts.append(Fact("points", told, "SM-30"))
    for location in view["locations"]:
        cost = PLACES[location]["cost"]
        was_short = _missing(cost, Counter(seat["bonuses"]))
        if was_short and not _missing(cost, bonuses):
            facts.append(Fact("location", {"card": card, "location": location}, "SM-22"))
    if part["green"] and not seat["gauntlet"]["green"]:
        facts.append(Fact("green", {"card": card}, "SM-30"))
    return facts


def _worth(card: str) -> list[Fact]:
    points = PARTS[card]["points"]
    return [Fact("worth", {"card": card, "points": points}, "SM-13")] if points else []


def _denies(view: View, card: str) -> list[Fact]:
    """Others who could recruit a card of the rows next turn."""
    if not any(card in row for row in view["rows"].values()):
        return []
    able = [
        number
        for number, seat in enumerate(view["seats"])
        if number != view["seat"] and not _missing(PARTS[card]["cost"], _means(seat))
    ]
    return [Fact("denies", {"card": card, "seats": able, "points": PARTS[card]["points"]}, "SM-15")] if able else []


def _within_reach(view: View, taken: list[str]) -> list[Fact]:
    """The best card that these tokens make affordable."""
    means = _means(view["seats"][view["seat"]])
    after = means + Counter(taken)
    cards = [card for card in view["prices"] if card in PARTS]
    reached = [
        card for card in cards if _missing(PARTS[card]["cost"], means) and not _missing(PARTS[card]["cost"], after)
    ]
    if not reached:
        return []
    card = max(reached, key=lambda each: (PARTS[each]["points"], each))
    return [Fact("in-reach", {"card": card, "points": PARTS[card]["points"]}, "SM-15")]


def _left_behind(view: View, chosen: str, told: set[Any]) -> list[Fact]:
    """A card with points that somebody else can recruit next turn, if the chosen action leaves it there."""
    used = action_params(chosen)[1].get("card")
    threats = [
        fact
        for row in view["rows"].values()
        for card in row
        if card is not None and card != used and card not in told and PARTS[card]["points"]
        for fact in _denies(view, card)
    ]
    threats.sort(key=lambda fact: -fact.params["points"])
    return [Fact("left-behind", threats[0].params, "SM-15")] if threats else []
