"""What people say at a table: reactions, short texts, and remarks that are true and built from what is open.

IG-93: at a game where teammates may not tell what they have seen there is no free text while it runs.
What spectators say while a game runs reaches spectators only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tavolino.server import protocol as p
from tavolino.server.errors import Refused
from tavolino.server.people.text_policy import clean_text

KEPT = 60
STONES = frozenset(f"{stone}-stone" for stone in ("mind", "soul", "space", "power", "reality", "time"))

# Games with secrets that teammates must not tell: no free text while they run.
NO_FREE_TALK = frozenset({"infinity-gauntlet"})


class Talk:
    """The last things said at a table, kept in memory only. A seat's player hears less than a spectator."""

    def __init__(self) -> None:
        self._said: list[tuple[p.Said, bool]] = []

    def add(self, said: p.Said, for_seats: bool) -> None:
        self._said.append((said, for_seats))
        del self._said[:-KEPT]

    def heard_by(self, seat: int | None, muted: frozenset[int]) -> list[p.Said]:
        return [said for said, for_seats in self._said if (for_seats or seat is None) and said.seat not in muted]


def reaches_seats(speaker: int | None, phase: p.Phase) -> bool:
    return speaker is not None or phase not in ("sealing", "playing")


def check_text(game: str, phase: p.Phase, speaker: int | None, text: str) -> str:
    """The text as it is passed on, or a refusal."""
    if speaker is not None and phase in ("sealing", "playing") and game in NO_FREE_TALK:
        raise Refused("no-free-talk", rule="IG-93")
    return clean_text(text)


def has_remarks(game: str) -> bool:
    return game in NO_FREE_TALK


def remarks(view: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The remarks that can be made now, by key, with their parameters: from the spectator's view alone."""
    if not has_remarks(view["game"]) or view["over"]:
        return {}
    face_up = [card for seat in view["seats"] for card in seat["face_up"]]
    tokens = {seat["role"]: 0 for seat in view["seats"]}
    for seat in view["seats"]:
        tokens[seat["role"]] += seat["tokens"]
    return {
        "stones": {"n": len(STONES & set(face_up))},
        "hero-deck": {"n": view["decks"]["hero"]},
        "thanos-deck": {"n": view["decks"]["thanos"]},
        "hero-life": {"n": view["life"]["heroes"]},
        "thanos-life": {"n": view["life"]["thanos"]},
        "hero-tokens": {"n": tokens.get("hero", 0)},
        "thanos-tokens": {"n": tokens.get("thanos", 0)},
    }


def remark(view: Mapping[str, Any], key: str) -> p.Remark:
    """One remark, true at this moment."""
    possible = remarks(view)
    if key not in possible:
        raise Refused("no-such-remark")
    return p.Remark(f"server.remark.{key}", possible[key])
