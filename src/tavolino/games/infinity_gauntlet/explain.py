"""Why an action of Infinity Gauntlet is good: what a hand can hold, what a fight risks, how close the end is."""

from collections.abc import Sequence
from typing import Any

from tavolino.engine.explanation import Fact, Theme, View
from tavolino.games.infinity_gauntlet.explain_plays import (
    NUMBER_OF,
    STONE_NAMES,
    comes_back,
    fight_value,
    no_fight,
    noted,
    odds,
    played_by_hero,
    played_by_thanos,
    puts_under,
    speaks_for,
    values_of,
)
from tavolino.games.infinity_gauntlet.facts import STONE_COUNT
from tavolino.games.infinity_gauntlet.notation import action_params


def explain(view: View, notebook: View, better: str, chosen: str | None) -> list[Fact]:
    """Facts about the better action; for a guess also why the chosen one could not be right."""
    verb, params = action_params(better)
    chosen_verb, chosen_params = ("", {}) if chosen is None else action_params(chosen)
    instead = chosen_params["card"] if chosen_verb == "play" else None
    facts: list[Fact] = []
    if verb == "guess":
        facts += _guess(view, notebook, params["number"], chosen_params.get("number"))
    elif verb in ("fight", "decline") and "fight" in view["legal"]:
        facts += [fact for fact in _hero_fight(view, notebook) if speaks_for(fact) == (verb == "fight")]
    elif verb == "fight-with":
        facts += [fact for fact in _thanos_fight(view, notebook, params["card"], view["target"]) if speaks_for(fact)]
    elif verb == "decline" and chosen_verb == "choose":
        facts += no_fight(view, notebook, chosen_params["target"])
    elif verb == "choose":
        facts += _known(view, notebook, params["target"])
    elif verb == "snap":
        facts.append(Fact("snap", {}, "IG-82"))
    elif verb == "play" and view["seat"] != view["thanos"]:
        facts += played_by_hero(view, notebook, params["card"], instead)
    if verb in ("play", "bottom", "give-up", "copy") and view["seat"] == view["thanos"]:
        facts += _for_thanos(view, notebook, verb, params["card"], instead)
    return facts + _last_life(view, verb)


THEMES: dict[str, Theme] = {
    "guess": "guess",
    "fight": "fight",
    "decline": "fight",
    "choose": "fight",
    "fight-with": "fight",
    "snap": "finish",
}  # else which card to keep, by playing another one or putting it away


def theme(better: str, facts: Sequence[Fact]) -> Theme:
    return THEMES.get(action_params(better)[0], "keep")


def _for_thanos(view: View, notebook: View, verb: str, card: str, instead: str | None) -> list[Fact]:
    facts: list[Fact] = []
    if verb in ("play", "copy"):
        facts += played_by_thanos(view, notebook, card)
    if verb == "play" and instead is not None:
        facts += puts_under(view, instead)
    if verb == "bottom" and card in STONE_NAMES:
        return facts + comes_back(view, card)  # how many stones there are speaks against it
    return facts + _stones(view)


def _places(view: View, notebook: View) -> list[list[str]]:
    """The hands that the guess is about: for each place the cards that can be there."""
    hands = notebook["places"]["hands"]
    if view["seat"] != view["thanos"]:
        return list(hands[view["thanos"]])
    target = view["target"]
    heroes = [target] if target is not None else [n for n in range(view["players"]) if n != view["thanos"]]
    return [place for hero in heroes for place in hands[hero]]


def _guess_rule(view: View) -> str:
    """The rule of the card that asks for the guess."""
    return {"outrider": "IG-61", "mind-stone": "IG-62"}.get(view["effect"], "IG-51")


def _guess(view: View, notebook: View, number: int, told: int | None) -> list[Fact]:
    places = _places(view, notebook)
    holding = sum(any(NUMBER_OF[card] == number for card in place) for place in places)
    possible = {card for place in places for card in place if NUMBER_OF[card] == number}
    unseen = sum(max(1, notebook["unseen"].get(card, 0)) for card in possible)  # a card that was seen can be back
    whose = "thanos" if view["seat"] != view["thanos"] else "heroes" if view["target"] is None else "hero"
    about = {"number": number, "whose": whose, **({"target": view["target"]} if whose == "hero" else {})}
    facts = []
    if any(all(NUMBER_OF[card] == number for card in place) for place in places):
        facts.append(Fact("sure-guess", about, _guess_rule(view)))
    elif holding:
        facts += [
            *noted(notebook, number),
            Fact("can-hold", {**about, "unseen": unseen}, _guess_rule(view)),
        ]
    if view["seat"] != view["thanos"]:
        facts += _stone_back(view, places, number, told)
    if told is not None:
        facts += _excluded(view, places, told)
    return facts


def _stone_back(view: View, places: list[list[str]], number: int, told: int | None) -> list[Fact]:
    """A stone that a right guess would send back, if the number that was guessed could not do that."""
    cards = sorted({card for place in places for card in place} & STONE_NAMES - {*view["stones"]})
    found = [card for card in cards if NUMBER_OF[card] == number]
    if not found or any(NUMBER_OF[card] == told for card in cards):
        return []
    return [Fact("stone-back", {"card": found[0]}, "IG-21")]


def _excluded(view: View, places: list[list[str]], number: int) -> list[Fact]:
    """Why nobody could have held the number that was guessed."""
    if any(NUMBER_OF[card] == number for place in places for card in place):
        return []
    thanos = view["thanos"]
    log: list[Any] = list(view["log"])
    wrong = [
        at
        for at, event in enumerate(log)
        if event["kind"] == "guessed"
        and event["target"] == thanos
        and event["number"] == number
        and event["how"] == "wrong"
    ]
    if wrong and view["seat"] != thanos:
        drawn = sum(event["kind"] == "drawn" and event["seat"] == thanos for event in log[wrong[-1] :])
        return [Fact("guessed-before", {"number": number, "drawn": drawn}, "IG-51")]
    return [Fact("excluded", {"number": number}, _guess_rule(view))]


def _hero_fight(view: View, notebook: View) -> list[Fact]:
    hand, thanos = view["seats"][view["seat"]]["hand"], view["thanos"]
    if not hand:
        return []
    own = fight_value(view, view["seat"], hand[0])
    return [odds("hero-fight", hand[0], own, values_of(view, notebook, thanos), thanos)]


def _thanos_fight(view: View, notebook: View, card: str, hero: int | None) -> list[Fact]:
    if hero is None:
        return []
    own = fight_value(view, view["seat"], card)
    return [odds("thanos-fight", card, own, values_of(view, notebook, hero), hero)]


def _known(view: View, notebook: View, target: int) -> list[Fact]:
    if target == view["seat"]:
        return []
    cards = notebook["known"]["hands"][target]
    return [Fact("known", {"target": target, "cards": list(cards)}, "IG-91")] if cards else []


def _stones(view: View) -> list[Fact]:
    """How many stones Thanos has in his hand and face up."""
    hand = view["seats"][view["seat"]]["hand"] or []
    stones = len({*view["stones"], *(card for card in hand if card in STONE_NAMES)})
    return [Fact("stones", {"count": stones, "of": STONE_COUNT}, "IG-82")] if stones * 2 >= STONE_COUNT else []


def _last_life(view: View, verb: str) -> list[Fact]:
    """A defeat that would end the game: of the other side, for a guess or a fight; of the own one, for no fight."""
    own, other = ("thanos", "heroes") if view["seat"] == view["thanos"] else ("heroes", "thanos")
    side = own if verb == "decline" else other if verb in ("guess", "fight", "fight-with") else None
    if side is None or view["life"][side] != 1:
        return []
    return [Fact("last-life-thanos", {}, "IG-80") if side == "thanos" else Fact("last-life-heroes", {}, "IG-81")]
