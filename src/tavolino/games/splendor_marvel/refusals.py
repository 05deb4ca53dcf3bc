"""Why an action is not legal now, as a rule id and the key of a sentence.

A refusal is shown to the seat that tried the action, so it contains only what this seat knows.
"""

from typing import Any

from tavolino.engine.game import Refusal
from tavolino.games.splendor_marvel.facts import (
    CARDS,
    COLOURS,
    COST,
    GREY,
    LEFT_TO_TAKE_TWO,
    LOCATION_COST,
    LOCATIONS,
    MOST_RESERVED,
    MOST_TOKENS,
    TOKENS,
)
from tavolino.games.splendor_marvel.notation import NUMBER_OF, action_params
from tavolino.games.splendor_marvel.state import Step

_STEP_OF_VERB = {"pay": Step.PAY, "grey": Step.PAY, "visit": Step.VISIT, "return": Step.RETURN}


def refuse(s: Any, text: str) -> Refusal:
    """Why this action is not legal now."""
    if text == "return green":
        return Refusal("SM-23", "green-stays")
    if _names_grey_or_green(text):
        return Refusal("SM-12", "no-grey-or-green")
    if text not in NUMBER_OF:
        return Refusal(None, "unknown", {"action": text[:60]})
    verb, params = action_params(text)
    if s.step != _STEP_OF_VERB.get(verb, Step.TURN):
        return _wrong_step(s)
    if verb in ("take", "take-two"):
        return _refuse_take(s, params.get("colours") or [params["colour"]], is_double=verb == "take-two")
    if verb in ("reserve", "reserve-blind"):
        return _refuse_reserve(s, params)
    if verb == "recruit":
        return _refuse_recruit(s, params["card"])
    if verb == "grey":
        return _refuse_grey(s, params["colour"])
    if verb == "return":
        return Refusal("SM-23", "none-to-return", {"token": params["token"]})
    if verb == "visit":
        return _refuse_visit(s, params["location"])
    return Refusal("SM-19", "pass-only-if-stuck")


def _names_grey_or_green(text: str) -> bool:
    verb, *tokens = text.split(" ")
    return (
        verb == "take"
        and 1 <= len(tokens) <= 3
        and all(token in TOKENS for token in tokens)
        and any(token not in COLOURS for token in tokens)
    )


def _wrong_step(s: Any) -> Refusal:
    """The decision that comes first."""
    if s.step == Step.PAY:
        return Refusal("SM-17", "close-the-payment", {"card": CARDS[s.paying_for]})
    if s.step == Step.VISIT:
        return Refusal("SM-22", "choose-a-location")
    if s.step == Step.RETURN:
        return Refusal("SM-23", "return-tokens", {"count": sum(s.tokens[s.to_act]) - MOST_TOKENS})
    return Refusal(None, "choose-an-action")


def _refuse_take(s: Any, colours: list[str], is_double: bool) -> Refusal:
    for colour in colours:
        if s.bank[COLOURS.index(colour)] == 0:
            return Refusal("SM-10", "none-left", {"colour": colour})
    if is_double:
        return Refusal("SM-11", "too-few-for-two", {"colour": colours[0], "needed": LEFT_TO_TAKE_TWO})
    return Refusal("SM-10", "take-three")


def _refuse_reserve(s: Any, params: dict[str, Any]) -> Refusal:
    if s.n_reserved[s.to_act] == MOST_RESERVED:
        return Refusal("SM-14", "three-reserved")
    if "level" in params:
        return Refusal("SM-13", "deck-empty", {"level": params["level"]})
    return Refusal("SM-13", "not-face-up", {"card": params["card"]})


def _refuse_recruit(s: Any, card: str) -> Refusal:
    number = CARDS.index(card)
    hand = s.reserved[s.to_act][: s.n_reserved[s.to_act]]
    if number not in hand and not any(number in row for row in s.rows):
        return Refusal("SM-15", "not-on-offer", {"card": card})
    missing = 0
    for colour, cost in enumerate(COST[number].tolist()):
        missing += max(cost - s.bonuses[s.to_act][colour] - s.tokens[s.to_act][colour], 0)
    return Refusal("SM-16", "too-dear", {"card": card, "missing": missing - s.tokens[s.to_act][GREY]})


def _refuse_grey(s: Any, colour: str) -> Refusal:
    if s.payment[GREY] == s.tokens[s.to_act][GREY]:
        return Refusal("SM-17", "no-spare-grey")
    return Refusal("SM-17", "colour-not-in-payment", {"colour": colour})


def _refuse_visit(s: Any, location: str) -> Refusal:
    number = LOCATIONS.index(location)
    if number not in s.locations:
        return Refusal("SM-22", "location-not-there", {"location": location})
    short = {
        colour: cost - held
        for colour, cost, held in zip(COLOURS, LOCATION_COST[number].tolist(), s.bonuses[s.to_act], strict=True)
        if cost > held
    }
    return Refusal("SM-22", "bonuses-missing", {"location": location, "missing": sum(short.values())})
