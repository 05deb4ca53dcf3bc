"""What people may be called and what they may write: any script, nothing invisible."""

from __future__ import annotations

import unicodedata

from tavolino.server.problems import Refused
from tavolino.server.protocol import MAX_TEXT

LONGEST_NAME = 24

# Control, surrogate, private use, unassigned; line and paragraph separators. Of the format characters only
# the two joiners are allowed, which some scripts need to be written at all: the others reverse text or hide.
REFUSED_CATEGORIES = frozenset({"Cc", "Cs", "Co", "Cn", "Zl", "Zp"})
JOINERS = "\u200c\u200d"


def is_writable(character: str) -> bool:
    category = unicodedata.category(character)
    return category not in REFUSED_CATEGORIES and (category != "Cf" or character in JOINERS)


def clean_name(text: str) -> str:
    """A display name of 1 to 24 characters, trimmed."""
    name = unicodedata.normalize("NFC", text).strip()
    is_visible = any(character not in JOINERS and not character.isspace() for character in name)
    if not is_visible or len(name) > LONGEST_NAME or not all(map(is_writable, name)):
        raise Refused("bad-name", {"longest": LONGEST_NAME})
    return name


def clean_text(text: str) -> str:
    """Something said: one line of at most 200 characters."""
    said = unicodedata.normalize("NFC", text).strip()
    if not said or len(said) > MAX_TEXT or not all(map(is_writable, said)):
        raise Refused("bad-text", {"longest": MAX_TEXT})
    return said
