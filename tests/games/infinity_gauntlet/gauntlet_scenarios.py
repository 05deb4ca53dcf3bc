"""Helpers for scenarios of Infinity Gauntlet: arranged decks, short accessors, and long games with few defeats."""

import random
from collections.abc import Iterator
from typing import Any

import tavolino

GAME = tavolino.load("infinity-gauntlet")
STONES = ("mind-stone", "power-stone", "reality-stone", "soul-stone", "space-stone", "time-stone")
NUMBER = {card: fact["number"] for card, fact in GAME.parts["cards"].items()}
CARDS = tuple(NUMBER)
Match = tavolino.Match


def deal(players: int = 3, hero: str = "", thanos: str = "", seed: str | int = "a story", **options: int) -> Match:
    """A game with both decks arranged from the top. Thanos sits on seat 0 by default."""
    return GAME.start(players, seed, options, {"hero": hero.split(), "thanos": thanos.split()})


def play(match: Match, *actions: str) -> list[dict[str, Any]]:
    """Play actions one after the other; returns all events."""
    return [event for action in actions for event in match.play(action)]


def kinds(events: list[dict[str, Any]]) -> list[str]:
    return [event["kind"] for event in events]


def hand(match: Match, seat: int) -> list[str]:
    held: list[str] = match.view(seat)["seats"][seat]["hand"]
    return held


def held(match: Match, seat: int) -> list[str]:
    """The true hand of a seat, read from the record: quicker than a view, for tests only."""
    cards = match._reading.hand[seat][: match._reading.hand_size[seat]]
    return sorted(CARDS[card] for card in cards)


def face_up(match: Match, seat: int) -> list[str]:
    shown: list[str] = match.view(None)["seats"][seat]["face_up"]
    return shown


def tokens(match: Match, seat: int) -> int:
    count: int = match.view(None)["seats"][seat]["tokens"]
    return count


def life(match: Match) -> tuple[int, int]:
    """Of the heroes and of Thanos."""
    left = match.view(None)["life"]
    return left["heroes"], left["thanos"]


def deck(match: Match, side: str) -> list[str]:
    """The true order of a deck from the top: for tests only."""
    number = ("hero", "thanos").index(side)
    cards = match._reading.deck[number][: match._reading.deck_size[number]]
    return [CARDS[card] for card in reversed(cards)]


def thanos_of(match: Match) -> int:
    seat: int = match.view(None)["thanos"]
    return seat


def random_games(players: int, games: int, name: str = "", **options: int) -> Iterator[tuple[Match, list[Any], str]]:
    """Random games, action by action: the match before the action, what the action brought, and the action.

    What is yielded is a clone from before the action. Nobody snaps while there is something else to do.
    """
    for number in range(games):
        chance = random.Random(f"{name} {players} {number}")
        match = GAME.start(players, f"{name} {number}", options)
        while not match.over:
            choices = [action for action in match.legal() if action != "snap"] or list(match.legal())
            action = chance.choice(choices)
            before = match.clone()
            yield before, match.play(action), action


def harmless(match: Match, chance: random.Random) -> str:
    """An action that defeats nothing, if there is one; found by looking at hidden cards."""
    legal = match.legal()
    for calm in ("decline", "end-turn"):
        if calm in legal:
            return calm
    if legal[0].startswith("guess"):
        others = [seat for seat in range(match.players) if seat != match.to_act]
        there = {NUMBER[card] for seat in others for card in held(match, seat)}
        return next(action for action in legal if int(action.split()[1]) not in there)
    quiet = [action for action in legal if action != "snap"]
    mild = [action for action in quiet if not action.endswith(("corvus-glaive", "soul-stone"))]
    return chance.choice(mild or quiet or list(legal))


def long_game(players: int, seed: int) -> Iterator[Match]:
    """A game in which hardly anything is defeated and Thanos never snaps while he can play: all positions."""
    chance = random.Random(f"harmless {players} {seed}")
    match = GAME.start(players, f"harmless {seed}", {"hero_life": 20, "thanos_life": 20})
    yield match
    while not match.over:
        match.play(harmless(match, chance))
        yield match
