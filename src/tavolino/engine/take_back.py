"""Taking actions back, allowed only if it is public that nobody learned anything from them.

An action revealed nothing if every viewer, including the one who acted, is shown the same in all worlds that this
viewer could not tell apart before, with the same words. The answer itself must not leak either, because the seat that
asks and then all others get it. So it is computed from public information only: worlds of the spectator are drawn, in
which seats know their own cards and what is public, and every seat is checked in each of them. A seat that knows more
in secret learns less from the action, never more.

Actions are checked one by one: a card that was drawn was seen, even if the next action named it.
"""

from collections.abc import Iterator

from tavolino.engine.match import Match

WORLDS = 64  # for each action; a difference in one world of ten is missed once in 850 times
TRIES = 16  # attempts for each world: in many worlds the card that was named is elsewhere, and the action is not legal


def can_take_back(match: Match, n: int = 1, worlds: int = WORLDS) -> bool:
    """Whether the last `n` actions revealed nothing to anybody; False if there are fewer, or the game is over.

    The answer is the same for all games that a spectator cannot tell apart.
    """
    actions = match.record()["actions"]
    if match.over or not 1 <= n <= len(actions):
        return False
    before = match.position(len(actions) - n)
    for action in actions[-n:]:
        after = _played(before, action)
        if not _has_shown_nothing(before, after, action, worlds):
            return False
        before = after
    return True


def _has_shown_nothing(before: Match, after: Match, action: str, worlds: int) -> bool:
    """Whether an action looks the same in every world; False also if no world was found in which it is legal."""
    seen = after.view(None, before.lines)
    is_found = False
    for world, said in _worlds(before, None, action, worlds):
        other = _played(world, said)
        if other.view(None, before.lines) != seen or any(
            _has_learned(world, other, said, seat) for seat in range(before.players)
        ):
            return False
        is_found = True
    return is_found


def _has_learned(before: Match, after: Match, action: str, seat: int) -> bool:
    """Whether an action shows a seat something that does not follow from its words and what the seat knew.

    This is about what only this seat has seen; what everybody was shown is compared elsewhere.
    """
    seen = after.view(seat, before.lines)
    if seen["log"] == after.view(None, before.lines)["log"]:
        return False
    is_own = before.to_act == seat
    for world, said in _worlds(before, seat, action, 1):
        return _played(world, action if is_own else said).view(seat, before.lines) != seen
    return True


def _worlds(before: Match, viewer: int | None, action: str, worlds: int) -> Iterator[tuple[Match, str]]:
    """Worlds of a viewer in which such an action is legal, and one of those actions in each."""
    found = 0
    for number in range(worlds * TRIES):
        world = before.resample(viewer, f"take back {number}")
        choices = _alike(world, action)
        if choices:
            yield world, choices[number % len(choices)]
            found += 1
        if found == worlds:
            return


def _alike(match: Match, action: str) -> list[str]:
    """The legal actions that look like this one to the others: the same text, or the same verb if it is secret."""
    if _verb(action) not in match.game.secret_verbs:
        return [action] if action in match.legal() else []
    return [other for other in match.legal() if _verb(other) == _verb(action)]


def _verb(action: str) -> str:
    return action.partition(" ")[0]


def _played(match: Match, action: str) -> Match:
    after = match.clone()
    after.advance(action)
    return after
