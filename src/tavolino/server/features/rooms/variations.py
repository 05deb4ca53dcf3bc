"""Playing on from a position of a finished game."""

from __future__ import annotations

from tavolino.engine.match import Match
from tavolino.server.context import Context
from tavolino.server.features.rooms.rooms import MOST_DECISIONS
from tavolino.server.kernel import moves


async def play_on(
    context: Context, match: Match, actions: list[str], action: str | None, decisions: int
) -> tuple[list[str], bool]:
    """These actions with one more, or with so many decisions of bots; and whether the game is over then."""
    if action is not None:
        assert match.to_act is not None
        moved = moves.move(match, match.to_act, action, "person", context.clock.now())
        assert moved.match is not None
        return [*actions, action], moved.match.over
    while decisions and not match.over and len(actions) < MOST_DECISIONS:
        actions.append(await context.bots.choose_at_once(match))
        match.advance(actions[-1])
        decisions -= 1
    return actions, match.over
