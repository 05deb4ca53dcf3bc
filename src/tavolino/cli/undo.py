"""Takes the last decision back in the terminal: always against bots; among people only if nobody has learned anything
since. The record says what was taken back (`taken_back`), as on a server."""

from typing import TYPE_CHECKING, Any

from tavolino.engine.take_back import can_take_back

if TYPE_CHECKING:
    from tavolino.engine.match import Match


class CannotTakeBack(Exception):
    """With the key of a sentence that says why."""

    def __init__(self, key: str):
        super().__init__(key)
        self.key = key


def take_back(match: "Match", seat: int, is_shared: bool) -> tuple["Match", dict[str, Any]]:
    """The match before the last decision of a seat, and the note for the record."""
    actions = match.record()["actions"]
    now, last = match.position(0), None
    for turn, action in enumerate(actions):
        if now.to_act == seat:
            last = turn
        now.advance(action)
    if last is None:
        raise CannotTakeBack("take-back.none")
    if is_shared and not can_take_back(match, len(actions) - last):
        raise CannotTakeBack("take-back.seen")
    return match.position(last), {"seat": seat, "turn": last, "actions": actions[last:]}
