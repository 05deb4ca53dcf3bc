"""Why an action is not legal: a rule id and a sentence that says what to do instead.

A refusal is shown to the seat that is asked, so it uses what is open and what that seat holds, and nothing else.
"""

from typing import Any

from tavolino.engine.game import Refusal
from tavolino.games.infinity_gauntlet.facts import CARDS, FIRST_THANOS_CARD, MOST_PLAYERS, NO_CARD, NUMBER, Card
from tavolino.games.infinity_gauntlet.state import Step

_SEATS = tuple(str(number) for number in range(MOST_PLAYERS))

# What belongs to the step that waits: its rule, and the sentence that says what is asked.
_ASKED = {
    Step.PLAY: ("IG-12", "play-a-card"),
    Step.CHOOSE: ("IG-90", "choose-a-hero"),
    Step.CHALLENGE: ("IG-65", "choose-or-decline"),
    Step.GUESS: ("IG-51", "name-a-number"),
    Step.FIGHT: ("IG-55", "fight-or-decline"),
    Step.FIGHT_WITH: ("IG-42", "fight-with-a-card"),
    Step.GIVE_UP: ("IG-52", "give-up-a-card"),
    Step.ORDER: ("IG-57", "order-the-three"),
    Step.BOTTOM: ("IG-70", "put-on-the-bottom"),
    Step.COPY: ("IG-72", "copy-a-card"),
    Step.END_TURN: ("IG-83", "end-your-turn"),
}
# The verbs, each with the steps that it answers.
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
_LONE = ("fight", "decline", "snap", "end-turn")  # nothing comes after these


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
        return Refusal(*_ASKED[s.step])
    if verb == "choose":
        return _refuse_seat(s, text, rest)
    if verb == "guess":
        return _refuse_number(s)
    if verb == "order":
        return Refusal("IG-57", "order-the-three")
    return _refuse_card(s, text, verb, rest)


def _refuse_seat(s: Any, text: str, rest: str) -> Refusal:
    if rest not in _SEATS:
        return Refusal(None, "unknown", {"action": text[:60]})
    seat = int(rest)
    if seat >= s.players:
        return Refusal(None, "no-such-seat", {"target": seat + 1, "players": s.players})
    if seat == s.thanos:
        return Refusal("IG-01", "not-thanos")
    if s.step == Step.CHALLENGE:
        return Refusal("IG-66", "a-different-opponent", {"target": seat})
    return Refusal("IG-53", "not-yourself")


def _refuse_number(s: Any) -> Refusal:
    if s.effect < FIRST_THANOS_CARD:
        return Refusal("IG-51", "name-a-number")
    return Refusal("IG-61", "name-a-hero-number")


def _refuse_card(s: Any, text: str, verb: str, rest: str) -> Refusal:
    if rest not in CARDS:
        return Refusal(None, "unknown", {"action": text[:60]})
    card = CARDS.index(rest)
    if verb == "copy":
        return Refusal("IG-72", "not-itself" if card == Card.TIME_STONE else "not-face-up", {"card": rest})
    hand = [held for held in s.hand[s.to_act] if held != NO_CARD]
    if card not in hand:
        return Refusal("IG-12" if verb == "play" else _ASKED[s.step][0], "not-in-hand", {"card": rest})
    if verb == "give-up":
        return Refusal("IG-52", "another-number", {"card": rest, "has": int(NUMBER[card]), "number": s.number})
    return Refusal("IG-14", "thanos-cannot-be-played")
