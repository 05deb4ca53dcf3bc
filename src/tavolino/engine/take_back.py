"""Taking actions back when it is public that nobody has learned anything by them.

An action has shown nothing if every viewer, the one who acted included, is shown the same in all worlds that this
viewer could not tell apart before, with the same words. The answer itself must tell nothing either: it goes to the seat
that asks and then to all others. So it is worked out from what everybody knows: worlds of the spectator are drawn, in
which seats know their own cards and what is public, and in each of them every seat is looked at. Whoever knows more in
secret learns less, never more.

Actions are looked at one by one: a card that was drawn was seen, even if the next action named it.
"""

from collections.abc import Iterator

from tavolino.engine.match import Match

WORLDS = 64  # drawn for each action: what is different in one world of ten is overlooked once in 850 times
TRIES = 16  # worlds drawn for each that is wanted: a card that was named lies elsewhere in many of them


def can_take_back(match: Match, n: int = 1, worlds: int = WORLDS) -> bool:
    """Whether the last `n` actions have shown nobody anything; False when there are fewer, or the game is over.

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
    """Whether a seat is shown by an action what does not follow from its words and from what the seat knew.

    What everybody was shown is compared elsewhere: here it is about what this seat alone has seen.
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
    """The legal actions that sound like this one to the others: the same words, or the same verb if that is all."""
    if _verb(action) not in match.game.secret_verbs:
        return [action] if action in match.legal() else []
    return [other for other in match.legal() if _verb(other) == _verb(action)]


def _verb(action: str) -> str:
    return action.partition(" ")[0]


def _played(match: Match, action: str) -> Match:
    after = match.clone()
    after.advance(action)
    return after
