"""Why an action of Splendor: Marvel is good: what it gains, what it makes affordable, what it denies to others."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from tavolino.engine.explanation import Fact, Theme, View
from tavolino.games.splendor_marvel.game import GAME
from tavolino.games.splendor_marvel.notation import action_params

PARTS: dict[str, Any] = GAME.parts["cards"]
PLACES: dict[str, Any] = GAME.parts["locations"]

NEAR = 3  # tokens that are missing for a card worth a word
FEWEST_CHEAPER = 3  # cards that a bonus must make cheaper to be worth a word


def explain(view: View, notebook: View, better: str, chosen: str | None) -> list[Fact]:
    """Facts about the better action, and what a reservation would have cost instead."""
    verb, params = action_params(better)
    facts: list[Fact] = []
    if verb in ("recruit", "reserve"):
        card = params["card"]
        if verb == "recruit":
            facts += _brings(view, card)
        facts += _denies(view, card)
        facts += _worth(card) if verb == "reserve" else _bonus(view, card)
    elif verb in ("take", "take-two"):
        taken = _tokens(better)
        facts += _within_reach(view, taken, _tokens(chosen)) or _closer(view, taken, _tokens(chosen))
    elif verb == "visit":
        facts.append(
            Fact("visit", {"location": params["location"], "points": PLACES[params["location"]]["points"]}, "SM-22")
        )
    if chosen is not None:
        facts += _reserve_cost(view, verb, chosen)
    return facts


THEMES: dict[str, Theme] = {"reserve": "reserve", "recruit": "recruit", "visit": "recruit"}  # else which tokens to take


def theme(better: str, facts: Sequence[Fact]) -> Theme:
    if any(fact.key == "points" and fact.params["total"] >= fact.params["goal"] for fact in facts):
        return "finish"
    verb, _ = action_params(better)
    if verb == "reserve" and any(fact.key == "denies" for fact in facts):
        return "deny"
    return THEMES.get(verb, "take")


def _means(seat: Any) -> Counter[str]:
    return Counter(seat["tokens"]) + Counter(seat["bonuses"])


def _missing(cost: Any, means: Counter[str]) -> int:
    """How many tokens are missing after bonuses, tokens and grey ones."""
    return max(0, sum(max(0, n - means[colour]) for colour, n in cost.items()) - means["grey"])


def _brings(view: View, card: str) -> list[Fact]:
    seat, part = view["seats"][view["seat"]], PARTS[card]
    bonuses = Counter(seat["bonuses"]) + Counter({part["bonus"]: 1})
    facts = []
    covered = [location for location in view["locations"] if not _missing(PLACES[location]["cost"], bonuses)]
    points = part["points"] + _tile(view, card) + max((PLACES[each]["points"] for each in covered), default=0)
    if points:
        told = {"card": card, "points": points, "total": seat["points"] + points, "goal": view["goal"]["points"]}
        facts.append(Fact("points", told, "SM-30"))
    facts += [
        Fact("location", {"card": card, "location": location}, "SM-22")
        for location in covered
        if _missing(PLACES[location]["cost"], Counter(seat["bonuses"]))
    ]
    if part["green"] and not seat["gauntlet"]["green"]:
        facts.append(Fact("green", {"card": card}, "SM-30"))
    return facts


def _tile(view: View, card: str) -> int:
    """The points of the Avengers tile, if the card brings it (SM-21)."""
    seats, holder, tile = view["seats"], view["avengers_tile"], view["tile"]
    symbols = seats[view["seat"]]["avengers"] + PARTS[card]["avengers"]
    if holder == view["seat"] or not PARTS[card]["avengers"] or symbols < tile["symbols"]:
        return 0
    return int(tile["points"]) if holder is None or symbols > seats[holder]["avengers"] else 0


def _worth(card: str) -> list[Fact]:
    points = PARTS[card]["points"]
    return [Fact("worth", {"card": card, "points": points}, "SM-13")] if points else []


def _denies(view: View, card: str) -> list[Fact]:
    """Others who could recruit a card of the rows next turn, and get points for it."""
    if not PARTS[card]["points"] or not any(card in row for row in view["rows"].values()):
        return []
    able = [
        number
        for number, seat in enumerate(view["seats"])
        if number != view["seat"] and not _missing(PARTS[card]["cost"], _means(seat))
    ]
    return [Fact("denies", {"card": card, "seats": able, "points": PARTS[card]["points"]}, "SM-15")] if able else []


def _within_reach(view: View, taken: list[str], instead: list[str]) -> list[Fact]:
    """The best card that these tokens make affordable, and the chosen ones do not."""
    means = _means(view["seats"][view["seat"]])
    after, otherwise = means + Counter(taken), means + Counter(instead)
    reached = [
        card
        for card in view["prices"]
        if card in PARTS and _missing(PARTS[card]["cost"], otherwise) and not _missing(PARTS[card]["cost"], after)
    ]
    if not reached:
        return []
    card = max(reached, key=lambda each: (PARTS[each]["points"], each))
    return [Fact("in-reach", {"card": card, "points": PARTS[card]["points"]}, "SM-15")]


def _closer(view: View, taken: list[str], instead: list[str]) -> list[Fact]:
    """The card that these tokens help most with, more than the chosen ones, if they are not enough for any."""
    means = _means(view["seats"][view["seat"]])
    after, otherwise = means + Counter(taken), means + Counter(instead)
    missing = {card: _missing(PARTS[card]["cost"], after) for card in view["prices"] if card in PARTS}
    helped = [
        card
        for card, left in missing.items()
        if _missing(PARTS[card]["cost"], means) - left >= 2 and _missing(PARTS[card]["cost"], otherwise) > left
    ]
    if not helped:
        return []
    card = min(helped, key=lambda each: (missing[each], -PARTS[each]["points"], each))
    told = {"card": card, "missing": missing[card], "points": PARTS[card]["points"]}
    return [Fact("closer", told, "SM-15")] if missing[card] <= NEAR else []


def _tokens(action: str | None) -> list[str]:
    """The tokens that an action takes."""
    verb, params = ("", {}) if action is None else action_params(action)
    if verb not in ("take", "take-two"):
        return []
    return list(params.get("colours") or [params["colour"]] * 2)


def _bonus(view: View, card: str) -> list[Fact]:
    """Cards of the rows of which the price would fall by the bonus."""
    colour, bonuses = PARTS[card]["bonus"], Counter(view["seats"][view["seat"]]["bonuses"])
    cheaper = [
        other
        for row in view["rows"].values()
        for other in row
        if other is not None and other != card and PARTS[other]["cost"].get(colour, 0) > bonuses[colour]
    ]
    told = {"card": card, "colour": colour, "cards": len(cheaper), "cheaper": cheaper}
    return [Fact("bonus", told, "SM-16")] if len(cheaper) >= FEWEST_CHEAPER else []


def _reserve_cost(view: View, verb: str, chosen: str) -> list[Fact]:
    """A reservation instead of something that brings more."""
    done, params = action_params(chosen)
    if verb in ("reserve", "reserve-blind") or done != "reserve" or not view["bank"]["grey"]:
        return []
    return [Fact("reserve-cost", {"card": params["card"]}, "SM-13")]
