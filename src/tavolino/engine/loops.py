"""The compiled entry points that every game uses: those of a match, and whole random games.

Each entry point takes (states, index): from Python that is much faster than passing a single record. There are few of
them, because each contains the game's rules and takes seconds to compile.
"""

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.chance import draw, rekey, use_cheap
from tavolino.engine.compiled import entry
from tavolino.engine.dispatch import apply, conceal, legal, resample, settle, setup
from tavolino.engine.entry_points import NO_DEAL, declare, sample_actions, sample_deal, sample_key
from tavolino.engine.record import Numbers, States

# What `advance` does before it lists the legal actions.
BEGIN, PLAY, CONCEAL, LIST, SETTLE = 0, 1, 2, 3, 4


@entry
def advance(
    states: States,
    index: int,
    operation: int,
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
    if operation == BEGIN:
        rekey(s, key)
        setup(s, options, arranged, n_arranged)
    elif operation == PLAY:
        apply(s, number)
    elif operation == CONCEAL:
        rekey(s, key)
        s.events[:] = 0  # nothing of the true world may remain
        conceal(s, number)
    elif operation == SETTLE:
        settle(s)
    return legal(s, out)


@entry
def draw_world(states: States, index: int, viewer: int, key: NDArray[np.int64], out: Numbers) -> int:
    """Draw what a viewer cannot know again; then list the legal actions.

    Separate from `advance`, because play does not need it, and `resample` can take longer to compile than the rules.
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
    """Play whole games with every choice uniform over the legal actions. Returns the number of decisions.

    The number of a game selects its random stream, so that the results do not depend on how games are distributed over
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
            apply(s, out[draw(s, n)] + 0)  # 64 bits, as elsewhere: another type would compile `apply` again
            taken += 1
        outcomes[game, 0], outcomes[game, 1], outcomes[game, 2] = s.winners, s.reason, taken
        decisions += taken
    return decisions


declare(
    "rules",
    advance,
    lambda game: (game.new_states(), 0, 0, 0, sample_key(), *NO_DEAL, sample_actions(game)),
)
declare("worlds", draw_world, lambda game: (game.new_states(), 0, 0, sample_key(), sample_actions(game)))
declare(
    "simulation",
    random_games,
    lambda game: (
        *(game.new_states(), 0, 0, 0, 0),
        *(*sample_deal(game), sample_actions(game), np.zeros((0, 3), np.int32)),
    ),
    counts={"games": "outcomes"},
)
