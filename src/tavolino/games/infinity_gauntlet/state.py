"""The record of a game of Infinity Gauntlet."""

from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.record import State, record_type
from tavolino.games.infinity_gauntlet.facts import HISTORY_ROOM, LARGEST_DECK, LARGEST_HAND, MOST_PLAYERS

VIEWERS = MOST_PLAYERS + 1  # the seats, then the spectator

RECORD = record_type(
    [
        ("step", np.int32),
        ("thanos", np.int32),  # the seat of Thanos
        ("current", np.int32),  # whose turn it is
        ("turns_left", np.int32),  # of the current seat before the next one has its turn (IG-11)
        ("life", np.int32, (2,)),  # by side
        ("tokens", np.int32, (MOST_PLAYERS,)),
        # The effect that is being carried out. All of it is public.
        ("effect", np.int32),  # the card whose effect it is: the played one, or the copied one (IG-72)
        ("target", np.int32),  # the seat that was chosen, NOBODY if none
        ("fought", np.int32),  # Space Stone: the opponent of the first fight, NOBODY before it
        ("number", np.int32),  # the number that was named, 0 if none
        ("to_bottom", np.int32),  # how many cards are still to be put on the bottom (IG-70, IG-71)
        # Cards.
        ("hand", np.int32, (MOST_PLAYERS, LARGEST_HAND)),  # ascending, NO_CARD behind the last
        ("hand_size", np.int32, (MOST_PLAYERS,)),
        ("deck", np.int32, (2, LARGEST_DECK)),  # by side; the top card is the last, NO_CARD behind it
        ("deck_size", np.int32, (2,)),
        ("face_up", np.int32, (MOST_PLAYERS, LARGEST_DECK)),  # in the order in which they came
        ("face_up_size", np.int32, (MOST_PLAYERS,)),
        ("shown", np.int32),  # the set of all face-up cards
        # Knowledge: for each viewer and each hidden place the set of cards that can be there; 0 is no place.
        # The order of the places of a hand has no meaning: together they say what the hand can be.
        ("hand_can", np.int32, (VIEWERS, MOST_PLAYERS, LARGEST_HAND)),
        ("deck_can", np.int32, (VIEWERS, 2, LARGEST_DECK)),
        # The history: one number for each event that reveals something about hidden cards (history.py).
        ("history", np.int32, (HISTORY_ROOM,)),
        ("n_history", np.int32),
        # In a resampled world: the number of entries that hold private halves for only one viewer, and that viewer.
        ("n_own", np.int32),
        ("whose_own", np.int32),
        # The sets above are computed lazily: for each viewer the number of entries that they include, and the cards
        # that were face up at that time.
        ("read_to", np.int32, (VIEWERS,)),
        ("shown_to", np.int32, (VIEWERS,)),
        ("spare", np.int32),  # pads the record to eight bytes; a `filler` field would be in its hash
    ]
)


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
    """The fields above, for the type checker."""

    step: int
    thanos: int
    current: int
    turns_left: int
    life: NDArray[np.int32]
    tokens: NDArray[np.int32]
    effect: int
    target: int
    fought: int
    number: int
    to_bottom: int
    hand: NDArray[np.int32]
    hand_size: NDArray[np.int32]
    deck: NDArray[np.int32]
    deck_size: NDArray[np.int32]
    face_up: NDArray[np.int32]
    face_up_size: NDArray[np.int32]
    shown: int
    hand_can: NDArray[np.int32]
    deck_can: NDArray[np.int32]
    history: NDArray[np.int32]
    n_history: int
    n_own: int
    whose_own: int
    read_to: NDArray[np.int32]
    shown_to: NDArray[np.int32]
    spare: int


States = np.ndarray[Any, Any]
