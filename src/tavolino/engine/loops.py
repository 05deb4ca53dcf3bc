"""The compiled loops that serve every game: the entry points of a match, and whole random games.

Each entry point takes (states, index): from Python that is far quicker than handing over a single record. There are
few of them on purpose: each contains the game's rules and costs seconds to compile.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.chance import draw, rekey, use_cheap
from tavolino.engine.compiled import entry
from tavolino.engine.dispatch import apply, conceal, legal, resample, settle, setup

States = np.ndarray[Any, Any]
Numbers = NDArray[np.int32]

# What `advance` is asked to do before it lists what is legal now.
BEGIN, PLAY, CONCEAL, LIST, SETTLE = 0, 1, 2, 3, 4


@entry
def advance(
    states: States,
    index: int,
    deed: int,
    number: int,
    key: NDArray[np.int64],
    options: Numbers,
    arranged: Numbers,
    n_arranged: Numbers,
    out: Numbers,
) -> int:
    """Begin a game, play action `number`, or conceal what viewer `number` cannot know; then list the legal actions."""
    s = states[index]
    s.n_events = 0
    if deed == BEGIN:
        rekey(s, key)
        setup(s, options, arranged, n_arranged)
    elif deed == PLAY:
        apply(s, number)
    elif deed == CONCEAL:
        rekey(s, key)
        s.events[:] = 0  # nothing of the true world may remain
        conceal(s, number)
    elif deed == SETTLE:
        settle(s)
    return legal(s, out)


@entry
def draw_world(states: States, index: int, viewer: int, key: NDArray[np.int64], out: Numbers) -> int:
    """Draw anew what a viewer cannot know; then list the legal actions.

    Apart from `advance`, because a game is played without it: the exact worlds of a game can take longer to compile
    than its rules.
    """
    s = states[index]
    s.n_events = 0
    rekey(s, key)
    s.events[:] = 0  # nothing of the true world may remain
    resample(s, viewer)
    return legal(s, out)


@entry
def random_games(
    states: States,
    index: int,
    first_game: int,
    games: int,
    seed: int,
    options: Numbers,
    arranged: Numbers,
    n_arranged: Numbers,
    out: Numbers,
    outcomes: Numbers,
) -> int:
    """Play whole games, every choice uniform over what is legal; says how many decisions they took.

    Each game has a stream of its own by its number, so that the figures do not depend on how games are spread over
    workers. `outcomes` gets a row (winners, reason, decisions) for each game.
    """
    s = states[index]
    decisions = 0
    for game in range(games):
        use_cheap(s, seed, first_game + game)
        setup(s, options, arranged, n_arranged)
        taken = 0
        while s.to_act >= 0:
            n = legal(s, out)
            s.n_events = 0
            apply(s, out[draw(s, n)] + 0)  # as 64 bits, as everywhere else: one machine code for all
            taken += 1
        outcomes[game, 0], outcomes[game, 1], outcomes[game, 2] = s.winners, s.reason, taken
        decisions += taken
    return decisions
