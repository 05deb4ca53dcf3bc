"""What names and texts may contain: any script, nothing invisible."""

from __future__ import annotations

import unicodedata

from tavolino.server.errors import Refused
from tavolino.server.protocol import MAX_TEXT

LONGEST_NAME = 24

# Control, surrogate, private use, unassigned; line and paragraph separators. Of the format characters only
# the two joiners are allowed, which some scripts need to be written at all: the others reverse text or hide.
REFUSED_CATEGORIES = frozenset({"Cc", "Cs", "Co", "Cn", "Zl", "Zp"})
JOINERS = "\u200c\u200d"
MOST_MARKS = 3  # above and below one character; spacing marks take room of their own and do not count

# Letters, marks and symbols without a shape: Unicode's default ignorable ones that are no format characters, the empty
# Braille pattern, the object replacement character, the null notehead, the Egyptian blanks.
BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffc\U0001d159\U00013441\U00013442") | {
    chr(point)
    for first, last in ((0x180B, 0x180F), (0xFE00, 0xFE0D), (0xE0100, 0xE01EF))
    for point in range(first, last + 1)
}
# Variation selectors for text and emoji style. After a letter they would make a different name that looks the same.
STYLES = "\ufe0e\ufe0f"
STYLED = frozenset("0123456789#*\u203c\u2049\u2139\u3030")  # besides symbols


def is_writable(character: str) -> bool:
    category = unicodedata.category(character)
    return category not in REFUSED_CATEGORIES and (category != "Cf" or character in JOINERS)


def clean_name(text: str) -> str:
    """A display name of 1 to 24 characters, trimmed."""
    name = unicodedata.normalize("NFC", text).strip()
    if len(name) > LONGEST_NAME or not all(map(is_writable, name)) or not can_be_seen(name):
        raise Refused("bad-name", {"longest": LONGEST_NAME})
    return name


def can_be_seen(name: str) -> bool:
    """Whether it has a letter, number or symbol, and nothing invisible: no blanks, at most `MOST_MARKS` marks on one
    character, joiners only between characters."""
    marks = 0
    for before, character, after in zip(f" {name}", name, f"{name} "[1:], strict=False):
        kind = unicodedata.category(character)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if character in BLANKS or marks > MOST_MARKS:
            return False
        if character in STYLES and not (before in STYLED or unicodedata.category(before)[0] == "S"):
            return False
        if character in JOINERS and not (_shows(before) and _is_base(after)):
            return False
        if kind[0] == "M" and not _shows(before):
            return False
    return any(unicodedata.category(character)[0] in "LNS" for character in name)


def _shows(character: str) -> bool:
    return not character.isspace() and character not in JOINERS


def _is_base(character: str) -> bool:
    return _shows(character) and unicodedata.category(character)[0] != "M"


def clean_text(text: str) -> str:
    """Something said: one line of at most 200 characters."""
    said = unicodedata.normalize("NFC", text).strip()
    if not said or len(said) > MAX_TEXT or not all(map(is_writable, said)):
        raise Refused("bad-text", {"longest": MAX_TEXT})
    return said
