"""How the facts about actions of Infinity Gauntlet are checked: by the hands in worlds that are possible for the seat.

In such worlds a card is as likely as it is for the seat, and each card of Thanos's hand fights a hero with the same
probability (IG-43). What an action is compared by is what it brings on average: fights won and lost, right guesses,
cards defeated, stones, tokens.
"""

from collections.abc import Sequence
from typing import Any

from tavolino.engine.explanation import Claim, Fact, View, in_all, in_some
from tavolino.engine.match import Match

WORLDS = 32
BLIND = 0.25  # a guess must be right more often than this to speak for a card that lets one guess
EVEN = 0.5  # an effect that defeats a card by its number must do so more often than not
GUESSES = ("outrider", "mind-stone")
FIGHTS = ("black-dwarf", "space-stone")
HIGHEST_OF_CORVUS, LOWEST_OF_SOUL = 3, 3
GUESS, FIGHT = 1, 3  # numbers of hero cards


def _hand(world: Match, seat: int) -> list[str]:
    return list(world.view(seat)["seats"][seat]["hand"] or [])


def _number(world: Match, card: str) -> int:
    return int(world.game.parts["cards"][card]["number"])


def _read(world: Match, action: str) -> tuple[str, Any]:
    described = world.game.described(action)
    return described["verb"], described["params"]


def _heroes(view: View) -> list[int]:
    return [each for each in range(view["players"]) if each != view["thanos"]]


def _played(world: Match, action: str) -> Match:
    played = world.clone()
    played.advance(action)
    return played


# -- guesses


def _holders(view: View, fact: Fact) -> list[int]:
    """Whom a guess of the seat is about."""
    if view["seat"] != view["thanos"]:
        return [view["thanos"]]
    target = fact.params.get("target", view["target"])
    return _heroes(view) if target is None else [target]


def _has(world: Match, seats: Sequence[int], number: int) -> bool:
    return any(_number(world, card) == number for seat in seats for card in _hand(world, seat))


def _is_there(world: Match, seat: int, action: str, fact: Fact) -> bool:
    return _has(world, _holders(world.view(seat), fact), fact.params["number"])


def _is_not_there(world: Match, seat: int, action: str, fact: Fact) -> bool:
    return not _is_there(world, seat, action, fact)


def _is_right(world: Match, seat: int, action: str, fact: Fact) -> float:
    """Whether the guess of the action, or the one it leads to, is right."""
    verb, params = _read(world, action)
    view = world.view(seat)
    if verb == "guess":
        return float(_has(world, _holders(view, Fact("")), params["number"]))
    is_guess = verb in ("play", "copy") and (params["card"] in GUESSES or _number(world, params["card"]) == GUESS)
    if not is_guess or (seat == view["thanos"]) != (params["card"] in GUESSES):
        return BLIND
    return float(_has(world, _holders(view, fact), fact.params["number"]))


def _someone_has(world: Match, seat: int, action: str, fact: Fact) -> float:
    """Whether the Mind Stone finds somebody with the number."""
    verb, params = _read(world, action)
    if verb not in ("play", "copy") or params["card"] != "mind-stone":
        return EVEN
    return float(_has(world, _heroes(world.view(seat)), fact.params["number"]))


def _is_best_guess(worlds: Sequence[Match], seat: int, action: str, fact: Fact) -> bool:
    """No more heroes have the number than is said."""
    heroes = _heroes(worlds[0].view(seat))
    having = {hero for hero in heroes if any(_has(world, [hero], fact.params["number"]) for world in worlds)}
    return 0 < len(having) <= fact.params["hands"] and fact.params["of"] == len(heroes)


def _thanos_has(world: Match, seat: int, action: str, fact: Fact) -> bool:
    return fact.params["card"] in _hand(world, world.view(seat)["thanos"])


def _gets_stone(world: Match, seat: int, action: str, fact: Fact) -> float:
    """Whether the guess is the number of the stone, and Thanos has it."""
    verb, params = _read(world, action)
    is_meant = verb == "guess" and params["number"] == _number(world, fact.params["card"])
    return float(is_meant and _thanos_has(world, seat, action, fact))


def _one_of_numbers(world: Match, seat: int, action: str, fact: Fact) -> bool:
    thanos = world.view(seat)["thanos"]
    return any(_has(world, [thanos], int(number)) for number in fact.params["numbers"])


# -- fights


def _value(view: View, world: Match, seat: int, card: str) -> int:
    """What a card counts in a fight: a fighter who has a token must use it (IG-45)."""
    return _number(world, card) + (view["token_bonus"] if view["seats"][seat]["tokens"] else 0)


def _results(world: Match, seat: int, card: str, target: int) -> list[int]:
    """Whether the card wins (1), ties (0) or loses (-1), for each card that the other one holds."""
    view = world.view(seat)
    own = _value(view, world, seat, card)
    theirs = (_value(view, world, target, each) for each in _hand(world, target))
    return [(own > value) - (own < value) for value in theirs]


def _mean(results: Sequence[float]) -> float:
    return sum(results) / len(results) if results else 0.0


def _fight_results(world: Match, seat: int, action: str, fact: Fact) -> list[int]:
    """The results of the fight that the action begins or leads to; none if there is no fight."""
    verb, params = _read(world, action)
    view, hand = world.view(seat), _hand(world, seat)
    if seat != view["thanos"]:
        return _results(world, seat, hand[0], view["thanos"]) if verb == "fight" else []
    if verb == "fight-with":
        return _results(world, seat, params["card"], view["target"])
    card = fact.params.get("card")
    if verb == "choose":
        return _results(world, seat, card or max(hand, key=lambda each: _number(world, each)), params["target"])
    leads = verb in ("play", "copy") and params["card"] in FIGHTS and card in hand and card != params["card"]
    return _results(world, seat, str(card), fact.params["target"]) if leads else []


def _fights_well(world: Match, seat: int, action: str, fact: Fact) -> float:
    """Fights won minus fights lost: of the fight that the action leads to, or of the card that a hero keeps."""
    verb, params = _read(world, action)
    view, hand = world.view(seat), _hand(world, seat)
    if seat != view["thanos"] and verb == "play":
        hand.remove(params["card"])
        return _mean(_results(world, seat, hand[0], view["thanos"])) if hand else 0.0
    return _mean(_fight_results(world, seat, action, fact))


def _fight_is_so(world: Match, seat: int, action: str, fact: Fact) -> bool:
    """The card counts as much as is said, and fights end in no other way than is said."""
    card, params = fact.params["card"], fact.params
    can_be = {1: params["wins"], -1: params["losses"], 0: params["total"] - params["wins"] - params["losses"]}
    is_own = card in _hand(world, seat) and _value(world.view(seat), world, seat, card) == params["value"]
    return is_own and all(can_be[result] > 0 for result in _results(world, seat, card, params["target"]))


def _loses(world: Match, seat: int, action: str, fact: Fact) -> bool:
    return -1 in _fight_results(world, seat, action, fact)


def _does_not_lose(world: Match, seat: int, action: str, fact: Fact) -> float:
    return -_mean([result < 0 for result in _fight_results(world, seat, action, fact)])


def _has_token(world: Match, seat: int, action: str, fact: Fact) -> bool:
    return bool(world.view(seat)["seats"][seat]["tokens"])


def _does_not_fight(world: Match, seat: int, action: str, fact: Fact) -> float:
    return float(_read(world, action)[0] == "decline")


def _holds_card(world: Match, seat: int, action: str, fact: Fact) -> bool:
    return fact.params["card"] in _hand(world, seat)


# -- the last life


def _is_last_life(world: Match, seat: int, action: str, fact: Fact) -> bool:
    return bool(world.view(seat)["life"][fact.key.removeprefix("last-life-")] == 1)


def _ends_the_game(world: Match, seat: int, action: str, fact: Fact) -> float:
    """How likely the action defeats a card of that side: good for the seat if it is the other side."""
    is_own = (seat == world.view(seat)["thanos"]) == (fact.key == "last-life-thanos")
    if is_own:
        return _does_not_lose(world, seat, action, fact)
    if _read(world, action)[0] == "guess":
        return _is_right(world, seat, action, fact)
    return _mean([result > 0 for result in _fight_results(world, seat, action, fact)])


# -- what cards of Thanos do


def _defeats(world: Match, seat: int, action: str, fact: Fact) -> float:
    """Whether the effect defeats the card of the hero in question."""
    verb, params = _read(world, action)
    numbers = [_number(world, card) for card in _hand(world, fact.params["target"])]
    if verb not in ("play", "copy") or not numbers:
        return EVEN
    if params["card"] == "corvus-glaive":
        return float(numbers[0] <= HIGHEST_OF_CORVUS)
    return float(numbers[0] >= LOWEST_OF_SOUL) if params["card"] == "soul-stone" else EVEN


def _tokens(world: Match, seat: int, action: str, fact: Fact) -> float:
    """How many tokens the own side gains, wherever they go."""
    played = _played(world, action)
    if played.to_act == seat and all(each.startswith("choose ") for each in played.legal()):
        played.advance(played.legal()[0])
    is_thanos = seat == world.view(seat)["thanos"]
    own = [seat] if is_thanos else _heroes(world.view(seat))
    before, after = world.view(seat)["seats"], played.view(seat)["seats"]
    return float(sum(after[each]["tokens"] - before[each]["tokens"] for each in own))


def _gains_tokens(world: Match, seat: int, action: str, fact: Fact) -> bool:
    return _tokens(world, seat, action, fact) == fact.params["count"]


def _stones_owned(world: Match, seat: int) -> set[str]:
    cards = world.game.parts["cards"]
    return {*world.view(seat)["stones"], *(card for card in _hand(world, seat) if cards[card]["stone"])}


def _has_stones(world: Match, seat: int, action: str, fact: Fact) -> bool:
    return len(_stones_owned(world, seat)) == fact.params["count"]


def _saves_stones(world: Match, seat: int, action: str, fact: Fact) -> float:
    """The stones that are left after the action; those face up count twice, because they cannot be guessed."""
    played = _played(world, action)
    return float(len(_stones_owned(played, seat)) + len(played.view(seat)["stones"]))


def _lacks_stones(world: Match, seat: int, action: str, fact: Fact) -> bool:
    stones = sum(card["stone"] for card in world.game.parts["cards"].values())
    deck = world.view(seat)["decks"]["thanos"]
    return stones - len(_stones_owned(world, seat)) == fact.params["stones"] and deck == fact.params["deck"]


def _draws(world: Match, seat: int, action: str, fact: Fact) -> float:
    """How many cards Thanos draws at once."""
    return float(world.view(seat)["decks"]["thanos"] - _played(world, action).view(seat)["decks"]["thanos"])


def _asks_for_cards(world: Match, seat: int, action: str, fact: Fact) -> bool:
    played = _played(world, action)
    return played.to_act == seat and all(each.startswith("bottom ") for each in played.legal())


def _keeps_cards(world: Match, seat: int, action: str, fact: Fact) -> float:
    return float(not _asks_for_cards(world, seat, action, fact))


def _has_deck(world: Match, seat: int, action: str, fact: Fact) -> bool:
    return bool(world.view(seat)["decks"]["thanos"] == fact.params["deck"])


def _is_that_card(world: Match, seat: int, action: str, fact: Fact) -> float:
    return float(_read(world, action) == ("bottom", {"card": fact.params["card"]}))


def _wins(world: Match, seat: int, action: str, fact: Fact) -> float:
    outcome = _played(world, action).outcome
    return float(outcome is not None and seat in outcome.winners)


# -- what somebody is known to hold


def _holds_known(world: Match, seat: int, action: str, fact: Fact) -> float:
    """How many of the named cards the player has whom the action chooses."""
    target = _read(world, action)[1].get("target")
    return 0.0 if target is None else float(len({*fact.params["cards"]} & {*_hand(world, target)}))


def _are_known(world: Match, seat: int, action: str, fact: Fact) -> bool:
    return {*fact.params["cards"]} <= {*_hand(world, fact.params["target"])}


_FIGHT = Claim(in_all(_fight_is_so), _fights_well)
_LAST_LIFE = Claim(in_all(_is_last_life), _ends_the_game)
_SURE_DEFEAT = Claim(in_all(lambda *about: _defeats(*about) == 1.0), _defeats)
_DEFEAT = Claim(in_some(lambda *about: _defeats(*about) == 1.0), _defeats)
CLAIMS = {
    "sure-guess": Claim(in_all(_is_there), _is_right),
    "sure-outrider": Claim(in_all(_is_there), _is_right),
    "can-hold": Claim(in_some(_is_there), _is_right),
    "outrider": Claim(in_some(_is_there), _is_right),
    "mind-stone": Claim(_is_best_guess, _someone_has),
    "seen": Claim(in_some(_thanos_has), _is_right),
    "strong": Claim(in_some(_one_of_numbers), _is_right),
    "stone-back": Claim(in_some(_thanos_has), _gets_stone),
    "excluded": Claim(in_all(_is_not_there), _is_right, is_of_chosen=True),
    "guessed-before": Claim(in_all(_is_not_there), _is_right, is_of_chosen=True),
    "hero-fight": _FIGHT,
    "thanos-fight": _FIGHT,
    "only-fight": _FIGHT,
    "keeps": _FIGHT,
    "kept-instead": _FIGHT,
    "risks-stone": Claim(in_some(_loses), _does_not_lose, is_of_chosen=True),
    "spends-token": Claim(in_all(_has_token), _does_not_fight),
    "shows-card": Claim(in_all(_holds_card), _does_not_fight),
    "last-life-thanos": _LAST_LIFE,
    "last-life-heroes": _LAST_LIFE,
    "low": _DEFEAT,
    "high": _DEFEAT,
    "sure-low": _SURE_DEFEAT,
    "sure-high": _SURE_DEFEAT,
    "tokens": Claim(in_all(_gains_tokens), _tokens),
    "stones": Claim(in_all(_has_stones), _saves_stones),
    "stones-in-deck": Claim(in_all(_lacks_stones), _draws),
    "puts-under": Claim(in_all(_asks_for_cards), _keeps_cards, is_of_chosen=True),
    "comes-back": Claim(in_all(_has_deck), _is_that_card),
    "snap": Claim(in_all(lambda *about: bool(_wins(*about))), _wins),
    "known": Claim(in_all(_are_known), _holds_known),
}
