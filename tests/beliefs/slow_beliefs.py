"""An independent, slow enumeration of the states that are possible for a viewer of Infinity Gauntlet.

It reads a viewer's log and nothing else, event by event, and keeps every state that fits: all deals, all hidden choices
of the others, all that chance can have done. A state is a hand for each seat and a deck; cards of a deck whose order
nobody has touched are a pool. Nothing here is taken from the rules or from the beliefs that the program keeps.

The two sides are followed apart. What ties them together is who tied whom: a state of the heroes has the numbers that
they had in the ties that the viewer saw from outside, a state of Thanos the numbers that he held then.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import permutations
from typing import Any

import tavolino

CARDS = tavolino.load("infinity-gauntlet").parts["cards"]
NUMBER = {card: fact["number"] for card, fact in CARDS.items()}
HERO_DECK = [card for card, fact in CARDS.items() if fact["deck"] == "hero"]
# The two Outriders are two cards: `outrider` and `outrider#`.
THANOS_DECK = [card for card, fact in CARDS.items() if fact["deck"] == "thanos"] + ["outrider#"]

Event = dict[str, Any]
Hand = tuple[str, ...]
Deck = tuple[Any, ...]  # from the top: a card, or a frozenset of cards in any order
State = tuple[tuple[Hand, ...], Deck, tuple[Any, ...]]  # a hand for each holder, the deck, the number at each tie


def kind(card: str) -> str:
    return card.removesuffix("#")


def number(card: str) -> int:
    return int(NUMBER[kind(card)])


def tops(deck: Deck) -> Iterator[tuple[str, Deck]]:
    """Each card that can be on top, and the deck without it."""
    if isinstance(deck[0], str):
        yield deck[0], deck[1:]
        return
    for card in deck[0]:
        rest = deck[0] - {card}
        yield card, ((rest,) if rest else ()) + deck[1:]


class Side:
    """All states of one side that fit what was seen."""

    def __init__(self, deck: Iterable[str], holders: list[int]):
        self.holders = holders
        self.states: set[State] = {(((),) * len(holders), (frozenset(deck),), ())}

    def each(self, change: Callable[[State], Iterable[State]]) -> None:
        self.states = {after for state in self.states for after in change(state)}
        assert self.states, "nothing is possible"

    def keep(self, seat: int, fits: Callable[[Hand], bool]) -> None:
        at = self.holders.index(seat)
        self.each(lambda state: [state] if fits(state[0][at]) else [])

    def draw(self, seat: int, told: str | None) -> None:
        at = self.holders.index(seat)

        def change(state: State) -> Iterator[State]:
            hands, deck, ties = state
            for card, rest in tops(deck):
                if told is None or kind(card) == told:
                    hand = tuple(sorted((*hands[at], card)))
                    yield (*hands[:at], hand, *hands[at + 1 :]), rest, ties

        self.each(change)

    def draw_and_play(self, seat: int, played: str) -> None:
        """A hero draws a card that nobody else sees, and plays this one: the drawn one, or the one held before."""
        at = self.holders.index(seat)

        def change(state: State) -> Iterator[State]:
            hands, deck, ties = state
            for card, rest in tops(deck):
                if card == played:
                    yield hands, rest, ties
                elif hands[at] == (played,):
                    yield (*hands[:at], (card,), *hands[at + 1 :]), rest, ties

        self.each(change)

    def leave(self, seat: int, card: str | None, is_to_bottom: bool = False) -> None:
        at = self.holders.index(seat)

        def change(state: State) -> Iterator[State]:
            hands, deck, ties = state
            for one in hands[at]:
                if card is None or kind(one) == card:
                    hand = tuple(other for other in hands[at] if other != one)
                    under = (one,) if is_to_bottom else ()
                    yield (*hands[:at], hand, *hands[at + 1 :]), deck + under, ties

        self.each(change)

    def note_tie(self, seat: int, what: Callable[[Hand], Any]) -> None:
        at = self.holders.index(seat)
        self.each(lambda state: [(state[0], state[1], (*state[2], what(state[0][at])))])

    def keys(self) -> dict[Any, tuple[int, frozenset[Any]]]:
        """The arrangements with both Outriders alike: in how many ways each comes about, with the numbers at the
        ties."""
        ties: dict[Any, set[Any]] = defaultdict(set)
        for hands, deck, noted in self.states:
            ties[hands, deck].add(noted)
        found: dict[Any, tuple[int, frozenset[Any]]] = {}
        for (hands, deck), noted_there in ties.items():
            key = key_of(hands, deck)
            weight, before = found.get(key, (0, frozenset()))
            found[key] = weight + 1, before | noted_there
        return found

    def shape(self) -> list[int]:
        """Of the deck, from the top: 0 for a card, and for a pool its size. It is the same in all states."""
        _, deck, _ = next(iter(self.states))
        return [0 if isinstance(part, str) else len(part) for part in deck]


def key_of(hands: Iterable[Iterable[str]], deck: Deck) -> Any:
    """An arrangement with the Outriders alike."""
    return (
        tuple(tuple(sorted(map(kind, hand))) for hand in hands),
        tuple(kind(part) if isinstance(part, str) else tuple(sorted(map(kind, part))) for part in deck),
    )


class Beliefs:
    """The states that are possible for a viewer after a log."""

    def __init__(self, players: int, thanos: int):
        self.thanos = thanos
        self.heroes = Side(HERO_DECK, [seat for seat in range(players) if seat != thanos])
        self.hands_of_thanos = Side(THANOS_DECK, [thanos])
        self.leads: list[int] = []  # the hero's lead by tokens, in each tie between others
        self.read = 0
        self.pending: Event | None = None

    def side(self, seat: int) -> Side:
        return self.hands_of_thanos if seat == self.thanos else self.heroes

    def follow(self, log: list[Event]) -> None:
        """Process the new events of a log. A draw is delayed until it is known what was played, which saves many
        states."""
        events = ([self.pending] if self.pending else []) + log[self.read :]
        self.pending, self.read = None, len(log)
        while events:
            event, *events = events
            is_hidden_draw = event["kind"] == "drawn" and event["card"] is None and event["seat"] != self.thanos
            if is_hidden_draw and not events:
                self.pending = event
            elif is_hidden_draw and events[0]["kind"] == "played" and events[0]["seat"] == event["seat"]:
                self.heroes.draw_and_play(event["seat"], events[0]["card"])
                events = events[1:]
            else:
                self.see(event)

    @property
    def size(self) -> int:
        """The number of states, including the delayed draw."""
        heroes = len(self.heroes.states)
        if self.pending:
            heroes *= max(self.heroes.shape()[0], 1)
        return max(heroes, len(self.hands_of_thanos.states))

    @contextmanager
    def complete(self) -> Iterator[None]:
        """Apply the delayed draw."""
        before = self.heroes.states
        if self.pending:
            self.see(self.pending)
        yield
        self.heroes.states = before

    def see(self, event: Event) -> None:
        handle = getattr(self, "see_" + event["kind"].replace("-", "_"), None)
        if handle is not None:
            handle(event)

    def see_drawn(self, event: Event) -> None:
        self.side(event["seat"]).draw(event["seat"], event["card"])

    def see_played(self, event: Event) -> None:
        self.side(event["seat"]).leave(event["seat"], event["card"])

    see_defeated = see_played

    def see_bottom(self, event: Event) -> None:
        self.hands_of_thanos.leave(event["seat"], event["card"], is_to_bottom=True)

    def see_shuffled_back(self, event: Event) -> None:
        def change(state: State) -> list[State]:
            hands, deck, ties = state
            cards = {card for part in deck for card in ([part] if isinstance(part, str) else part)}
            return [(hands, (frozenset(cards | {event["card"]}),), ties)]

        self.hands_of_thanos.each(change)

    def see_new_deck(self, event: Event) -> None:
        under = (frozenset(event["cards"]),) if event["cards"] else ()
        self.heroes.each(lambda state: [(state[0], state[1] + under, state[2])])

    def see_guessed(self, event: Event) -> None:
        for seat in self.heroes.holders if event["target"] is None else [event["target"]]:
            self._see_number(seat, event["number"], seat in event["hit"])

    def _see_number(self, seat: int, named: int, is_held: bool) -> None:
        self.side(seat).keep(seat, lambda hand: (named in map(number, hand)) == is_held)

    def see_spared(self, event: Event) -> None:
        low, high = (4, 6) if event["card"] == "corvus-glaive" else (1, 2)
        self.heroes.keep(event["target"], lambda hand: low <= number(hand[0]) <= high)

    def see_looked(self, event: Event) -> None:
        if event["card"] is not None:
            self.hands_of_thanos.keep(self.thanos, lambda hand: event["card"] in map(kind, hand))

    def see_fight(self, event: Event) -> None:
        lead = 2 * event["hero_token"] - 2 * event["thanos_token"]
        hero = event["seat"]
        if event["hero_card"] is not None:
            self.heroes.keep(hero, lambda hand: hand == (event["hero_card"],))
            self.hands_of_thanos.keep(self.thanos, lambda hand: event["thanos_card"] in map(kind, hand))
        elif event["how"] == "won":
            self.heroes.keep(hero, lambda hand: number(hand[0]) + lead > number(event["defeated"]))
        elif event["how"] == "lost":
            beaten = number(event["defeated"]) + lead
            self.hands_of_thanos.keep(self.thanos, lambda hand: any(number(card) > beaten for card in hand))
        else:
            self.leads.append(lead)
            self.heroes.note_tie(hero, lambda hand: number(hand[0]))
            self.hands_of_thanos.note_tie(self.thanos, lambda hand: frozenset(map(number, hand)))

    def see_snap(self, event: Event) -> None:
        self.hands_of_thanos.keep(self.thanos, lambda hand: sorted(map(kind, hand)) == sorted(event["cards"]))

    def see_top_three(self, event: Event) -> None:
        if event["cards"] is not None:
            self._lay_on_top(event["cards"], event["cards"])

    def see_ordered(self, event: Event) -> None:
        if event["cards"] is not None:
            self._lay_on_top(None, event["cards"])
        elif self.heroes.shape()[0] < 3:  # three cards of one pool stay in any order
            self._lay_on_top(None, None)

    def _lay_on_top(self, seen: list[str] | None, laid: list[str] | None) -> None:
        """The top three cards, as they were seen if they were, are put back in an order, if it is known, or in any."""

        def change(state: State) -> Iterator[State]:
            hands, deck, ties = state
            for one, after_one in tops(deck):
                for two, after_two in tops(after_one):
                    for three, rest in tops(after_two):
                        top = (one, two, three)
                        if seen is not None and top != tuple(seen):
                            continue
                        if laid is None:
                            for order in permutations(top):
                                yield hands, order + rest, ties
                        elif set(top) == set(laid):
                            yield hands, tuple(laid) + rest, ties

        self.heroes.each(change)

    # -- both sides together

    def weights(self) -> tuple[dict[Any, int], dict[Any, int], Callable[[Any, Any], bool]]:
        """In how many arrangements of both sides each one of the heroes is, and each one of Thanos; and whether two of
        them go together."""
        heroes, thanos = self.heroes.keys(), self.hands_of_thanos.keys()

        def go_together(numbers: frozenset[Any], held: frozenset[Any]) -> bool:
            return any(
                all(had + lead in has for had, lead, has in zip(one, self.leads, other, strict=True))
                for one in numbers
                for other in held
            )

        by_hero: dict[frozenset[Any], int] = defaultdict(int)
        by_thanos: dict[frozenset[Any], int] = defaultdict(int)
        for weight, ties in heroes.values():
            by_hero[ties] += weight
        for weight, ties in thanos.values():
            by_thanos[ties] += weight
        fits = {(one, other): go_together(one, other) for one in by_hero for other in by_thanos}
        of_heroes = {
            key: weight * sum(count for other, count in by_thanos.items() if fits[ties, other])
            for key, (weight, ties) in heroes.items()
        }
        of_thanos = {
            key: weight * sum(count for other, count in by_hero.items() if fits[other, ties])
            for key, (weight, ties) in thanos.items()
        }
        possible = {key: weight for key, weight in of_heroes.items() if weight}
        of_thanos = {key: weight for key, weight in of_thanos.items() if weight}

        def is_possible(hero_key: Any, thanos_key: Any) -> bool:
            return hero_key in heroes and thanos_key in thanos and fits[heroes[hero_key][1], thanos[thanos_key][1]]

        return possible, of_thanos, is_possible

    def keys_of(self, hands: list[list[str]], hero_deck: list[str], thanos_deck: list[str]) -> tuple[Any, Any]:
        """The arrangements of a world: its hands by seat, and its decks from the top."""
        return (
            key_of([hands[seat] for seat in self.heroes.holders], shaped(hero_deck, self.heroes.shape())),
            key_of([hands[self.thanos]], shaped(thanos_deck, self.hands_of_thanos.shape())),
        )


def shaped(deck: list[str], shape: list[int]) -> Deck:
    parts: list[Any] = []
    at = 0
    for size in shape:
        parts.append(deck[at] if size == 0 else tuple(deck[at : at + size]))
        at += max(size, 1)
    assert at == len(deck)
    return tuple(parts)
