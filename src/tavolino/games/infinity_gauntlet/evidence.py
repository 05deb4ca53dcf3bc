"""What one entry of the history reveals about a card to the other players."""

from tavolino.engine.compiled import compiled
from tavolino.games.infinity_gauntlet.actions import Result
from tavolino.games.infinity_gauntlet.facts import NUMBER, OF_NUMBER
from tavolino.games.infinity_gauntlet.history import (
    GUESSED_NUMBER,
    HITS,
    PUBLIC,
    SHOWN_CARD,
    card_at,
    lead_of,
    result_of,
)


@compiled
def numbers_from(lowest: int) -> int:
    """All cards, of both decks, with this number or a higher one."""
    cards = 0
    for number in range(1, 8):
        if number >= lowest:
            cards |= OF_NUMBER[number]
    return cards


@compiled
def cards_of_numbers(numbers: int) -> int:
    """All cards, of both decks, whose numbers are in a set of numbers."""
    cards = 0
    for number in range(1, 8):
        if (numbers >> number) & 1 != 0:
            cards |= OF_NUMBER[number]
    return cards


@compiled
def winner_can(entry: int) -> int:
    """A fight won or lost (IG-44): everybody sees the tokens and the defeated card, so the other card is higher."""
    lead = lead_of(entry) if result_of(entry) == Result.LOST else -lead_of(entry)
    return numbers_from(NUMBER[card_at(entry, SHOWN_CARD)] + lead + 1)


@compiled
def spared_can(entry: int) -> int:
    """A hero whom Corvus Glaive missed holds a 4 or more; one whom the Soul Stone missed, a 1 or 2 (IG-63, IG-64)."""
    return numbers_from(4) if (entry >> PUBLIC) & 1 != 0 else ~numbers_from(3)


@compiled
def cards_guessed(entry: int) -> int:
    """All cards with the number that was named."""
    return OF_NUMBER[(entry >> GUESSED_NUMBER) & 7] + 0


@compiled
def is_hit(entry: int, seat: int) -> bool:
    """Whether a guess was right for a seat."""
    return (entry >> (HITS + seat)) & 1 != 0
