"""The true world of games as vectors of numbers: hands, decks (in their order, if the rules keep one), all
that is hidden.

It is for critics, which learn with more than a player may know. Environments give it only if they were made with
`state=True`, and never as part of an observation. The generator is not part of it: its words say nothing to a critic.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.chance import Chance
from tavolino.engine.record import States, fields_of, hashed_fields

if TYPE_CHECKING:
    from gymnasium import spaces

_OF_CHANCE = {name for name, *_ in fields_of(Chance)}


def world_fields(record: np.dtype[Any]) -> tuple[str, ...]:
    """The fields of a record that a world consists of, in their order."""
    return tuple(name for name in hashed_fields(record) if name not in _OF_CHANCE)


def worlds(states: States) -> NDArray[np.int64]:
    """The world of each game, a row for each; new arrays."""
    parts = [states[name].reshape(len(states), -1) for name in world_fields(states.dtype)]
    return np.concatenate(parts, axis=1, dtype=np.int64)


def world_space(states: States) -> "spaces.Box":
    """The space of one row of `worlds`."""
    from gymnasium import spaces  # callers have said which extra brings it

    whole = np.iinfo(np.int64)
    return spaces.Box(low=whole.min, high=whole.max, shape=worlds(states[:1]).shape[1:], dtype=np.int64)
