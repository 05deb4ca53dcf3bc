"""Why an action is not legal: a rule id and a sentence that says what to do instead.

A refusal is shown to the seat to act, so it uses only public information and what that seat holds.
"""

from typing import Any

from tavolino.engine.game import Refusal
from tavolino.games.infinity_gauntlet.facts import CARDS, FIRST_THANOS_CARD, MOST_PLAYERS, NO_CARD, NUMBER, Card
from tavolino.games.infinity_gauntlet.state import Step

_SEATS = tuple(str(number) for number in range(MOST_PLAYERS))

# By step: its rule, and the sentence that says what to do.
_ASKED = {
    Step.PLAY: ("IG-12", "play-a-card"),
    Step.CHOOSE: (None, "choose-a-hero"),
    Step.CHALLENGE: (None, "choose-or-decline"),
    Step.GUESS: (None, "name-a-number"),
    Step.FIGHT: (None, "fight-or-decline"),
    Step.FIGHT_WITH: ("IG-42", "fight-with-a-card"),
    Step.GIVE_UP: ("IG-52", "give-up-a-card"),
    Step.ORDER: ("IG-57", "order-the-three"),
    Step.BOTTOM: (None, "put-on-the-bottom"),
    Step.COPY: ("IG-72", "copy-a-card"),
    Step.END_TURN: ("IG-83", "end-your-turn"),
}
# For a step without a rule of its own, the rule of the card: a hero card's by number, a Thanos card's by name.
_HERO_RULES = {1: "IG-51", 2: "IG-53", 3: "IG-55", 4: "IG-56", 5: "IG-57", 6: "IG-59"}
_THANOS_RULES = {
    Card.OUTRIDER: "IG-61",
    Card.MIND_STONE: "IG-62",
    Card.CORVUS_GLAIVE: "IG-63",
    Card.SOUL_STONE: "IG-64",
    Card.BLACK_DWARF: "IG-65",
    Card.SPACE_STONE: "IG-66",
    Card.EBONY_MAW: "IG-70",
    Card.REALITY_STONE: "IG-71",
}
# The verbs, each with the steps in which it can be used.
_VERBS = {
    "play": (Step.PLAY,),
    "choose": (Step.CHOOSE, Step.CHALLENGE),
    "guess": (Step.GUESS,),
    "fight": (Step.FIGHT,),
    "decline": (Step.FIGHT, Step.CHALLENGE),
    "fight-with": (Step.FIGHT_WITH,),
    "give-up": (Step.GIVE_UP,),
    "order": (Step.ORDER,),
    "bottom": (Step.BOTTOM,),
    "copy": (Step.COPY,),
    "snap": (Step.PLAY, Step.END_TURN),
    "end-turn": (Step.END_TURN,),
}
_LONE = ("fight", "decline", "snap", "end-turn")  # verbs without a parameter


def refuse(s: Any, text: str) -> Refusal:
    """Why this action is not legal now."""
    verb, _, rest = text.partition(" ")
    if verb not in _VERBS or (verb in _LONE and rest):
        return Refusal(None, "unknown", {"action": text[:60]})
    if verb == "snap" and s.to_act == s.thanos and s.step in _VERBS["snap"]:
        return Refusal("IG-82", "not-all-stones")
    if verb == "snap" and s.to_act != s.thanos:
        return Refusal("IG-82", "only-thanos-snaps")
    if s.step not in _VERBS[verb]:
        return _say_what_is_asked(s)
    if verb == "choose":
        return _refuse_seat(s, text, rest)
    if verb == "guess":
        return Refusal(_rule(s), "name-a-number" if s.effect < FIRST_THANOS_CARD else "name-a-hero-number")
    if verb == "order":
        return _say_what_is_asked(s)
    return _refuse_card(s, text, verb, rest)


def _rule(s: Any) -> str:
    """The rule of the current decision."""
    rule = _ASKED[s.step][0]
    if rule is None:
        is_hero_card = s.effect < FIRST_THANOS_CARD
        rule = _HERO_RULES[int(NUMBER[s.effect])] if is_hero_card else _THANOS_RULES[s.effect]
    return rule


def _say_what_is_asked(s: Any) -> Refusal:
    key = _ASKED[s.step][1]
    if s.step == Step.GUESS and s.effect >= FIRST_THANOS_CARD:
        key = "name-a-hero-number"
    return Refusal(_rule(s), key)


def _refuse_seat(s: Any, text: str, rest: str) -> Refusal:
    if rest not in _SEATS:
        return Refusal(None, "unknown", {"action": text[:60]})
    seat = int(rest)
    if seat >= s.players:
        return Refusal(None, "no-such-seat", {"target": seat + 1, "players": s.players})
    if seat == s.thanos:
        return Refusal(_rule(s), "not-thanos")
    if s.step == Step.CHALLENGE:
        return Refusal(_rule(s), "a-different-opponent", {"target": seat})
    return Refusal(_rule(s), "not-yourself")


def _refuse_card(s: Any, text: str, verb: str, rest: str) -> Refusal:
    if rest not in CARDS:
        return Refusal(None, "unknown", {"action": text[:60]})
    card = CARDS.index(rest)
    if verb == "copy":
        return Refusal("IG-72", "not-itself" if card == Card.TIME_STONE else "not-face-up", {"card": rest})
    hand = [held for held in s.hand[s.to_act] if held != NO_CARD]
    if card not in hand:
        return Refusal(_rule(s), "not-in-hand", {"card": rest})
    if verb == "give-up":
        return Refusal("IG-52", "another-number", {"card": rest, "has": int(NUMBER[card]), "number": s.number})
    return Refusal("IG-14", "thanos-cannot-be-played")
