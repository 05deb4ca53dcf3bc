"""Taking actions back exactly when nobody has learned anything by them.

Actions may be taken back if no viewer, the one who acted included, has seen a card or a fact since then that does not
follow from the words of the actions and from what that viewer saw before. Two worlds decide it: the position before the
actions is resampled for a viewer, the same actions are played there, and if the viewer is then shown something else in
any of these worlds, something was learned.
"""

from typing import Any

from tavolino.engine.errors import IllegalAction
from tavolino.engine.match import Match
from tavolino.engine.record import SPECTATOR

WORLDS = 64  # drawn for each viewer: what is different in one world of ten is overlooked once in 850 times


def can_take_back(match: Match, n: int = 1, worlds: int = WORLDS) -> bool:
    """Whether the last `n` actions have shown nobody anything; False when there are fewer, or the game is over.

    A world in which the same actions are not legal says nothing: that they were is told by their words.
    """
    actions = match.record()["actions"]
    if match.over or not 1 <= n <= len(actions):
        return False
    before, taken = match.position(len(actions) - n), actions[-n:]
    return all(_learned_nothing(before, match, taken, viewer, worlds) for viewer in _viewers(match))


def _viewers(match: Match) -> list[int | None]:
    return [None if viewer == SPECTATOR else viewer for viewer in range(SPECTATOR, match.players)]


def _learned_nothing(before: Match, after: Match, actions: list[str], viewer: int | None, worlds: int) -> bool:
    seen = _seen(after, viewer, before.lines)
    others = (before.resample(viewer, f"take back {number}") for number in range(worlds))
    return all(_seen(other, viewer, before.lines) == seen for other in others if _can_play(other, actions))


def _can_play(match: Match, actions: list[str]) -> bool:
    try:
        for action in actions:
            match.advance(action)
    except IllegalAction:
        return False
    return True


def _seen(match: Match, viewer: int | None, line: int) -> tuple[Any, Any]:
    """All that a viewer is shown, and can work out; of the log the lines from this one on."""
    return match.view(viewer, line), match.notebook(viewer)
