"""What can be known: the sets against true histories (IG-91, IG-92). tests/beliefs has resampled worlds, exactly."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from tavolino.engine.testing import check_no_interference, viewers
from tavolino.engine.texts import sentence
from tests.games.infinity_gauntlet.gauntlet_scenarios import (
    GAME,
    NUMBER,
    Match,
    deal,
    deck,
    held,
    play,
    random_games,
)
from tests.sampling import few_or_many

HERO_DECK, THANOS_DECK = list(GAME.decks["hero"].cards), list(GAME.decks["thanos"].cards)


def fits(cards: list[str], places: list[list[str]]) -> bool:
    """Whether the cards of a hand can lie in its places, one each."""
    if not cards:
        return not places
    return any(cards[0] in place and fits(cards[1:], places[:at] + places[at + 1 :]) for at, place in enumerate(places))


def is_possible(match: Match, viewer: int | None, world: Match) -> bool:
    """Whether a world fits what a viewer of a match has worked out."""
    return fits_places(match.notebook(viewer)["places"], world)


def fits_places(places: dict[str, Any], world: Match) -> bool:
    hands_fit = all(fits(held(world, seat), places["hands"][seat]) for seat in range(world.players))
    decks_fit = all(
        len(places["decks"][side]) == len(deck(world, side))
        and all(card in place for card, place in zip(deck(world, side), places["decks"][side], strict=True))
        for side in ("hero", "thanos")
    )
    return hands_fit and decks_fit


@pytest.mark.rule("IG-91")
@pytest.mark.parametrize("players", range(2, 7))
def test_the_true_cards_are_always_possible_and_ones_own_are_known(players: int) -> None:
    for before, _, _ in random_games(players, few_or_many(2, 6), "true", hero_life=15, thanos_life=12):
        for viewer in viewers(before):
            assert is_possible(before, viewer, before)
            if viewer is not None:
                assert sorted(before.notebook(viewer)["known"]["hands"][viewer]) == held(before, viewer)


@pytest.mark.rule("IG-91")
@pytest.mark.parametrize("players", [2, 3, pytest.param(5, marks=pytest.mark.slow)])
def test_resampled_worlds_fit_what_is_known_in_the_middle_of_every_effect(players: int) -> None:
    chance = random.Random(players)
    steps = Counter[str]()
    for before, _, _ in random_games(players, 30, "steps", hero_life=15, thanos_life=12):
        step = before.view(None)["step"]
        if steps[step] >= few_or_many(2, 6):
            continue
        steps[step] += 1
        check_no_interference(before, chance, steps=4)
        for viewer in viewers(before):
            world = before.resample(viewer, chance.getrandbits(32))
            assert is_possible(before, viewer, world)
            assert is_possible(before, None, world)
            assert world.legal()
            for other in viewers(world):  # and what everybody knows in that world is true there
                assert is_possible(world, other, world)
    wanted = {
        "play",
        "choose",
        "challenge",
        "guess",
        "fight",
        "fight-with",
        "give-up",
        "order",
        "bottom",
        "copy",
        "end-turn",
    }
    assert set(steps) == wanted


@pytest.mark.rule("IG-91")
def test_a_world_of_a_world_goes_on_being_possible() -> None:
    """A search may resample again in a resampled world, for any seat, and play on."""
    chance = random.Random(3)
    for number in range(few_or_many(3, 12)):
        match = GAME.start(4, number)
        while not match.over:
            if chance.random() < 0.3:
                match = match.resample(chance.choice(viewers(match)), chance.getrandbits(32))
            for viewer in viewers(match):
                assert is_possible(match, viewer, match)
            match.play(chance.choice(match.legal()))


# -- sets against histories


def shuffled(chance: random.Random, cards: list[str], fixed: dict[int, str]) -> list[str]:
    """A deck with some cards in fixed places and the others in any."""
    rest = list(cards)
    for card in fixed.values():
        rest.remove(card)
    chance.shuffle(rest)
    return [fixed[at] if at in fixed else rest.pop() for at in range(len(cards))]


def histories(viewer: int | None, world: Match, actions: list[str], logs: list[list[Any]]) -> Iterator[Match]:
    """All ways in which another world can go so that the viewer sees the same, hidden choices of others included."""
    if world._log(-1 if viewer is None else viewer) != logs[0]:
        return
    if not actions:
        yield world
        return
    for action in world.legal() if world.to_act != viewer else [actions[0]]:
        if action in world.legal():
            after = world.clone()
            after.play(action)
            yield from histories(viewer, after, actions[1:], logs[1:])


# (viewer, hero cards by place in the deck, which of them the viewer has seen, cards of Thanos by place, actions)
# Seat 0 is Thanos. Seats 1 to 3 are heroes: theirs are the first three cards, then they draw in turn.
SCENARIOS: dict[str, tuple[int | None, dict[int, str], set[int], dict[int, str], str]] = {
    "a wrong guess": (
        2,
        {0: "nebula", 1: "hulk", 3: "vision", 4: "thor"},
        {0, 1, 4},
        {0: "proxima-midnight", 1: "soul-stone", 2: "thanos"},
        "play proxima-midnight, play nebula, guess 1",
    ),
    "a right guess with a second card of the number": (
        2,
        {0: "nebula", 1: "hulk", 3: "vision", 4: "thor"},
        {0, 1, 4},
        {0: "proxima-midnight", 1: "outrider", 2: "mind-stone", 3: "thanos"},
        "play proxima-midnight, play nebula, guess 1, give-up outrider",
    ),
    "the question after a right guess": (
        3,
        {0: "nebula", 2: "hulk", 3: "vision"},
        {0, 2},
        {0: "proxima-midnight", 1: "outrider", 2: "mind-stone"},
        "play proxima-midnight, play nebula, guess 1",
    ),
    "a fight that the hero lost, from outside": (
        2,
        {0: "thor", 1: "hulk"},
        {0, 1},
        {0: "black-dwarf", 1: "reality-stone", 2: "soul-stone"},
        "play black-dwarf, choose 1, fight-with reality-stone",
    ),
    "a fight that Thanos lost, from outside": (
        2,
        {0: "vision", 1: "hulk"},
        {1},
        {0: "black-dwarf", 1: "power-stone", 2: "soul-stone", 3: "thanos"},
        "play black-dwarf, choose 1, fight-with power-stone",
    ),
    "a tie, from outside": (
        2,
        {0: "iron-man", 1: "hulk"},
        {1},
        {0: "black-dwarf", 1: "time-stone", 2: "thanos"},
        "play black-dwarf, choose 1, fight-with time-stone",
    ),
    "a tie, from inside": (
        1,
        {0: "iron-man", 3: "thor"},
        {0, 3},
        {0: "black-dwarf", 1: "time-stone", 2: "thanos"},
        "play black-dwarf, choose 1, fight-with time-stone",
    ),
    "a card on the bottom": (
        1,
        {0: "iron-man", 3: "thor"},
        {0, 3},
        {0: "ebony-maw", 1: "time-stone", 2: "thanos", 3: "outrider"},
        "play ebony-maw, bottom thanos",
    ),
    "two cards on the bottom, for a spectator": (
        None,
        {},
        set(),
        {0: "reality-stone", 1: "time-stone", 2: "thanos", 3: "outrider"},
        "play reality-stone, bottom thanos, bottom outrider",
    ),
    "spared by the Soul Stone": (
        3,
        {0: "gamora", 2: "hulk"},
        {2},
        {0: "soul-stone", 1: "time-stone", 2: "thanos"},
        "play soul-stone, choose 1",
    ),
    "a look": (
        2,
        {0: "gamora", 1: "hulk", 3: "falcon", 4: "thor"},
        {0, 1, 4},
        {0: "proxima-midnight", 1: "time-stone", 2: "outrider"},
        "play proxima-midnight, play gamora, choose 2",
    ),
}


@pytest.mark.slow  # tests/beliefs compares whole worlds; this has kinds of history by name
@pytest.mark.rule("IG-44", "IG-51", "IG-52", "IG-73", "IG-91")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_resampled_hand_is_one_that_the_history_allows_and_every_such_hand_comes_up(scenario: str) -> None:
    """The hands of Thanos and of seat 1 in worlds that went the same way for the viewer, against resampled ones."""
    viewer, hero, seen_places, thanos, written = SCENARIOS[scenario]
    actions = written.split(", ")
    chance = random.Random(scenario)

    def begin(hero_fixed: dict[int, str], thanos_fixed: dict[int, str], seed: int) -> Match:
        decks = {"hero": shuffled(chance, HERO_DECK, hero_fixed), "thanos": shuffled(chance, THANOS_DECK, thanos_fixed)}
        return GAME.start(4, seed, None, decks)

    match = begin(hero, thanos, 0)
    logs = [match.view(viewer)["log"]]
    for action in actions:
        match.play(action)
        logs.append(match.view(viewer)["log"])
    seen = {at: hero[at] for at in seen_places}
    # All see what Thanos plays, gives up or loses: that it was in his hand is certain.
    defeated = {event.get("card") for event in match.view(viewer)["log"] if event["kind"] in ("played", "defeated")}
    shown = {at: card for at, card in thanos.items() if at < 3 and card in defeated}
    places = match.notebook(viewer)["places"]
    hands, heroes, found = set(), set(), 0
    for seed in range(3000):
        for world in histories(viewer, begin(seen, shown, seed), actions, logs):
            assert fits_places(places, world)
            hands.add(tuple(held(world, 0)))
            heroes |= set(held(world, 1))
            found += 1
        if found >= 800:
            break
    worlds = [match.resample(viewer, seed) for seed in range(800)]
    assert {tuple(held(world, 0)) for world in worlds} == hands
    assert {card for world in worlds for card in held(world, 1)} == heroes
    assert len(hands) > 5


@pytest.mark.rule("IG-40", "IG-44")
def test_in_every_world_a_tied_hero_holds_what_thanos_can_have_tied() -> None:
    match = deal(4, hero="hulk thor falcon", thanos="black-dwarf space-stone time-stone")
    play(match, "play black-dwarf", "choose 2", "fight-with space-stone")
    for viewer in (1, 3, None):
        for seed in range(200):
            world = match.resample(viewer, seed)
            [card_of_hero] = held(world, 2)
            assert NUMBER[card_of_hero] in {NUMBER[card] for card in held(world, 0)}


def lost_since_thanos_let_a_card_go(match: Match) -> list[dict[str, Any]]:
    """Fights that heroes lost against a card that Thanos, on seat 0, still holds; none if there was only one fight."""
    fights: list[dict[str, Any]] = []
    for event in match.view(None)["log"]:
        if event["kind"] == "fight":
            fights.append(event)
        elif event["kind"] in ("played", "defeated", "bottom") and event["seat"] == 0:
            fights = []
    return [fight for fight in fights if fight["how"] == "lost"] if len(fights) > 1 else []


@pytest.mark.slow
@pytest.mark.rule("IG-40", "IG-44")
def test_a_later_fight_does_not_make_worlds_forget_who_won_an_earlier_one() -> None:
    """Sets for two places cannot express what two fights leave open: worlds still respect both."""
    checked = 0
    for before, _, _ in random_games(6, 80, "fights", hero_life=20, thanos_life=20):
        for fight in lost_since_thanos_let_a_card_go(before):
            needed = NUMBER[fight["defeated"]] + 2 * fight["hero_token"] - 2 * fight["thanos_token"] + 1
            for viewer in viewers(before):
                world = before.resample(viewer, checked)
                assert max(NUMBER[card] for card in held(world, 0)) >= needed
                checked += 1
    assert checked > 500


# -- the notebook's sentences


@pytest.mark.rule("IG-44", "IG-73")
def test_the_notebook_says_what_several_places_have_shown_together() -> None:
    """Thanos beat Vision, a 5, and has put a card on the bottom since. Seat 1 has seen with which card."""
    match = deal(
        3, hero="vision nebula star-lord gamora", thanos="thanos black-dwarf ebony-maw outrider corvus-glaive", seed=5
    )
    play(match, "play black-dwarf", "choose 1", "fight-with thanos")
    strong = {"key": "strong", "seat": None, "card": None, "numbers": [6, 7], "bottom": 0}
    assert [match.notebook(viewer)["together"] for viewer in (0, 1, 2, None)] == [[], [], [strong], [strong]]
    play(match, "play star-lord", "guess 4", "play nebula", "guess 4", "play ebony-maw", "bottom corvus-glaive")
    strong["bottom"] = 1
    seen = {"key": "seen", "seat": None, "card": "thanos", "numbers": [7], "bottom": 1}
    assert [match.notebook(viewer)["together"] for viewer in (0, 1, 2, None)] == [[], [seen], [strong], [strong]]
    said = {
        "en": "Thanos won a fight with one of these numbers: 6, 7."
        " That card is in his hand or on the bottom of his deck.",
        "it": "Thanos ha vinto un combattimento con uno di questi numeri: 6, 7."
        " Quella carta è ancora nella sua mano oppure in fondo al suo mazzo.",
        "pl": "Thanos wygrał walkę kartą o jednej z tych wartości: 6, 7."
        " Ta karta jest na jego ręce albo na spodzie jego talii.",
    }
    for language, text in said.items():
        assert sentence(GAME, "note.strong", {**strong, "numbers": "6, 7"}, language) == text


@pytest.mark.rule("IG-40")
def test_the_notebook_says_who_tied_until_one_of_them_lets_a_card_go() -> None:
    match = deal(4, hero="hulk thor falcon", thanos="black-dwarf space-stone time-stone")
    play(match, "play black-dwarf", "choose 2", "fight-with space-stone")
    tie = {"key": "tie", "seat": 2, "card": None, "numbers": [], "bottom": 0}
    assert [match.notebook(viewer)["together"] for viewer in (0, 1, 2, None)] == [[], [tie], [], [tie]]
    while match.to_act != 2:
        match.play("decline" if "decline" in match.legal() else match.legal()[0])
    match.play(match.legal()[0])
    assert match.notebook(None)["together"] == []


@pytest.mark.rule("IG-91")
def test_the_sentences_are_true_in_every_world() -> None:
    checked = 0
    for before, _, _ in random_games(4, few_or_many(5, 20), "sentences", hero_life=15, thanos_life=12):
        for viewer in viewers(before):
            for fact in before.notebook(viewer)["together"]:
                world = before.resample(viewer, checked)
                under = deck(world, "thanos")[len(deck(world, "thanos")) - fact["bottom"] :]
                cards = held(world, 0) + under
                if fact["key"] == "seen":
                    assert fact["card"] in cards
                elif fact["key"] == "strong":
                    assert {NUMBER[card] for card in cards} & set(fact["numbers"])
                else:
                    lead = {"tie": 0, "tie-higher": 2, "tie-lower": -2}[fact["key"]]
                    of_thanos = {NUMBER[card] for card in cards}
                    assert any(NUMBER[card] + lead in of_thanos for card in held(world, fact["seat"]))
                checked += 1
    assert checked > 50
