"""The record of a game of Infinity Gauntlet."""

from enum import IntEnum
from typing import Annotated

from tavolino.engine.record import UNHASHED, Numbers, State, record_type
from tavolino.games.infinity_gauntlet.facts import HISTORY_ROOM, LARGEST_DECK, LARGEST_HAND, MOST_PLAYERS

VIEWERS = MOST_PLAYERS + 1  # the seats, then the spectator


class Step(IntEnum):
    """The decision that is to be made."""

    OVER = 0
    PLAY = 1  # which card to play; Thanos may also snap
    CHOOSE = 2  # which seat the effect is for
    CHALLENGE = 3  # whom Thanos fights, if anybody
    GUESS = 4  # a number
    FIGHT = 5  # whether a hero fights
    FIGHT_WITH = 6  # with which card Thanos fights
    GIVE_UP = 7  # which card of the guessed number Thanos gives up
    ORDER = 8  # how the top three go back
    BOTTOM = 9  # which card goes on the bottom
    COPY = 10  # whose effect the Time Stone copies
    END_TURN = 11  # snap or not, after the effect
    DONE = 12  # none: the effect is finished. Never the step between two actions.


class GauntletState(State):
    """One game."""

    step: int
    thanos: int  # the seat of Thanos
    current: int  # whose turn it is
    turns_left: int  # of the current seat before the next one has its turn (IG-11)
    life: Annotated[Numbers, 2]  # by side
    tokens: Annotated[Numbers, MOST_PLAYERS]
    # The effect that is being carried out. All of it is public.
    effect: int  # the card whose effect it is: the played one, or the copied one (IG-72)
    target: int  # the seat that was chosen, NOBODY if none
    fought: int  # Space Stone: the opponent of the first fight, NOBODY before it
    number: int  # the number that was named, 0 if none
    to_bottom: int  # how many cards are still to be put on the bottom (IG-70, IG-71)
    # Cards.
    hand: Annotated[Numbers, MOST_PLAYERS, LARGEST_HAND]  # ascending, NO_CARD behind the last
    hand_size: Annotated[Numbers, MOST_PLAYERS]
    deck: Annotated[Numbers, 2, LARGEST_DECK]  # by side; the top card is the last, NO_CARD behind it
    deck_size: Annotated[Numbers, 2]
    face_up: Annotated[Numbers, MOST_PLAYERS, LARGEST_DECK]  # in the order in which they came
    face_up_size: Annotated[Numbers, MOST_PLAYERS]
    shown: int  # the set of all face-up cards
    # Knowledge: for each viewer and each hidden place the set of cards that can be there; 0 is no place.
    # The order of the places of a hand has no meaning: together they say what the hand can be.
    hand_can: Annotated[Numbers, VIEWERS, MOST_PLAYERS, LARGEST_HAND]
    deck_can: Annotated[Numbers, VIEWERS, 2, LARGEST_DECK]
    # The history: one number for each event that reveals something about hidden cards (history.py).
    history: Annotated[Numbers, HISTORY_ROOM, UNHASHED]
    n_history: Annotated[int, UNHASHED]
    # In a resampled world: the number of entries that hold private halves for only one viewer, and that viewer.
    n_own: Annotated[int, UNHASHED]
    whose_own: Annotated[int, UNHASHED]
    # The sets above are computed lazily: for each viewer the number of entries that they include, and the cards
    # that were face up at that time.
    read_to: Annotated[Numbers, VIEWERS, UNHASHED]
    shown_to: Annotated[Numbers, VIEWERS, UNHASHED]
    spare: Annotated[int, UNHASHED]  # pads the record to eight bytes; a `filler` field would be in its hash


RECORD = record_type(GauntletState)
