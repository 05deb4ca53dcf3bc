"""The texts of the actions, events and prompts of Infinity Gauntlet."""

from typing import Any

from tavolino.engine.events import (
    EventKind,
    Field,
    Reader,
    Row,
    flag,
    number,
    private,
    seat,
    word,
    word_list,
    word_set,
)
from tavolino.engine.game import Json
from tavolino.games.infinity_gauntlet import actions
from tavolino.games.infinity_gauntlet.facts import (
    CARD_COUNT,
    CARDS,
    FIRST_THANOS_CARD,
    HEROES,
    MOST_PLAYERS,
    NUMBER,
    REASONS,
    TOP_CARDS,
    Card,
)
from tavolino.games.infinity_gauntlet.state import Step

STEPS = tuple(step.name.lower().replace("_", "-") for step in Step)
_SEATS = tuple(str(number) for number in range(MOST_PLAYERS))
_NUMBERS = tuple(str(number) for number in range(1, 8))

# The verbs that take a card, each with its first action and its first card.
_CARD_VERBS = {
    "play": (actions.PLAY, 0),
    "fight-with": (actions.FIGHT_WITH, FIRST_THANOS_CARD),
    "give-up": (actions.GIVE_UP, FIRST_THANOS_CARD),
    "bottom": (actions.BOTTOM, FIRST_THANOS_CARD),
    "copy": (actions.COPY, FIRST_THANOS_CARD),
}
# Only Thanos or the hero knows which card or order it was (IG-44, IG-57, IG-73).
SECRET_VERBS = frozenset({"fight-with", "order", "bottom"})
# The texts of all actions except `order`, whose text depends on the position.
_TEXTS = {
    actions.FIGHT: "fight",
    actions.DECLINE: "decline",
    actions.SNAP: "snap",
    actions.END_TURN: "end-turn",
    **{actions.CHOOSE + int(name): f"choose {name}" for name in _SEATS},
    **{actions.GUESS + int(name) - 1: f"guess {name}" for name in _NUMBERS},
    **{
        first + card - first_card: f"{verb} {CARDS[card]}"
        for verb, (first, first_card) in _CARD_VERBS.items()
        for card in range(first_card, CARD_COUNT)
    },
}


def seat_set(at: int) -> Reader:
    """Several seats, as the bits of one number."""
    return lambda row: [int(name) for name in word_set(at, _SEATS)(row)]


def _defeated(row: Row) -> str | None:
    """The card that lost a fight is shown to all (IG-44)."""
    result, hero_card, thanos_card = row[7:10]
    if result == actions.Result.TIE:
        return None
    return CARDS[thanos_card if result == actions.Result.WON else hero_card]


def _side(row: Row) -> str:
    """The team whose card it is, and whose lives are counted."""
    return "heroes" if row[3] < FIRST_THANOS_CARD else "thanos"


EVENT_KINDS = (
    EventKind("drawn", (Field("seat", seat(0)), private("card", word(1, CARDS)))),
    EventKind("nothing-to-draw", (Field("seat", seat(0)),)),
    EventKind("played", (Field("seat", seat(0)), Field("card", word(1, CARDS)))),
    EventKind("chosen", (Field("seat", seat(0)), Field("target", seat(1)), Field("card", word(2, CARDS)))),
    EventKind(
        "guessed",
        (
            Field("seat", seat(0)),
            Field("target", seat(1)),
            Field("number", number(2)),
            Field("how", lambda row: "right" if row[5] else "wrong"),
            Field("hit", seat_set(3)),
        ),
    ),
    EventKind("spared", (Field("seat", seat(0)), Field("target", seat(1)), Field("card", word(2, CARDS)))),
    EventKind(
        "defeated",
        (Field("seat", seat(0)), Field("card", word(1, CARDS)), Field("life", number(2)), Field("side", _side)),
    ),
    EventKind("shuffled-back", (Field("seat", seat(0)), Field("card", word(1, CARDS)))),
    EventKind("new-deck", (Field("cards", word_set(0, CARDS)),)),
    EventKind("looked", (Field("seat", seat(0)), Field("target", seat(2)), private("card", word(1, CARDS)))),
    EventKind("declined", (Field("seat", seat(0)),)),
    EventKind(
        "fight",
        (
            Field("seat", seat(0)),
            Field("target", seat(1)),
            Field("starter", seat(2)),
            Field("hero_token", flag(3)),
            Field("thanos_token", flag(4)),
            Field("how", word(5, ("tie", "won", "lost"))),
            Field("defeated", _defeated),
            private("hero_card", word(6, CARDS)),
            private("thanos_card", word(7, CARDS)),
        ),
    ),
    EventKind("tokens", (Field("seat", seat(0)), Field("count", number(1)))),
    EventKind("top-three", (Field("seat", seat(0)), private("cards", word_list(1, TOP_CARDS, CARDS)))),
    EventKind("ordered", (Field("seat", seat(0)), private("cards", word_list(1, TOP_CARDS, CARDS)))),
    EventKind("bottom", (Field("seat", seat(0)), private("card", word(1, CARDS)))),
    EventKind("copied", (Field("seat", seat(0)), Field("card", word(1, CARDS)))),
    EventKind("no-effect", (Field("seat", seat(0)), Field("card", word(1, CARDS)))),
    EventKind("snap", (Field("seat", seat(0)), Field("cards", word_list(1, 4, CARDS)))),
    EventKind("turn-ended", (Field("seat", seat(0)),)),
    EventKind(
        "over",
        (
            Field("winners", seat_set(0)),
            Field("reason", word(1, REASONS)),
        ),
    ),
)


def action_text(s: Any, action: int) -> str:
    if actions.ORDER <= action < actions.BOTTOM:
        top = s.deck_size[HEROES]
        cards = sorted(s.deck[HEROES][top - TOP_CARDS : top])
        order = actions.ORDERS[action - actions.ORDER].tolist()
        return " ".join(["order", *(CARDS[cards[rank]] for rank in order)])
    return _TEXTS[action]


def action_params(text: str) -> tuple[str, Json]:
    """A verb and its named parameters, for the labels of actions."""
    verb, *rest = text.split(" ")
    if verb == "choose":
        return verb, {"target": int(rest[0])}
    if verb == "guess":
        return verb, {"number": int(rest[0])}
    if verb == "order":
        return verb, {"cards": rest}
    return verb, {"card": rest[0]} if rest else {}


_CHOOSE_KEYS = {2: "choose-looker", 4: "choose-token", 6: "choose-fighter"}


def prompt(s: Any) -> Json:
    """The question that is waiting for an answer. Everybody may know it."""
    asked: Json = {"key": STEPS[s.step], "seat": s.to_act}
    if s.effect >= 0:
        asked["card"] = CARDS[s.effect]
    is_hero_effect = 0 <= s.effect < FIRST_THANOS_CARD
    if s.step == Step.CHOOSE:
        asked["key"] = _CHOOSE_KEYS[int(NUMBER[s.effect])] if is_hero_effect else "choose-victim"
    elif s.step == Step.CHALLENGE and s.fought >= 0:
        asked["key"] = "challenge-again"
    elif s.step == Step.GUESS:
        if is_hero_effect:
            asked["key"] = "guess-thanos"
        elif s.effect == Card.OUTRIDER:
            asked.update(key="guess-hero", target=s.target)
        else:
            asked["key"] = "guess-heroes"
    elif s.step == Step.FIGHT_WITH:
        asked["target"] = s.target
    elif s.step == Step.GIVE_UP:
        asked["number"] = s.number
    elif s.step == Step.BOTTOM:
        asked["count"] = s.to_bottom
    return asked
