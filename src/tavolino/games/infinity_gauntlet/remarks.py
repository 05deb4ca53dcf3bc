"""Remarks: true sentences about public information, because team mates may not chat freely (IG-93)."""

from collections.abc import Mapping
from typing import Any

from tavolino.games.infinity_gauntlet import facts

STONES = frozenset(card for number, card in enumerate(facts.CARDS) if facts.STONES >> number & 1)


def remarks(view: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The remarks that can be made now, by key, with their parameters; only from the spectator's view."""
    if view["over"]:
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
