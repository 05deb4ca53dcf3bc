"""Messages: sentences with parameters, in a subset of ICU's MessageFormat.

    {name}                                              a parameter as it is
    {card, card}                                        a word of the catalogue itself: the key card.<value>
    {seat, seat}                                        the name of the player in that seat
    {n, plural, one {# card} other {# cards}}           by the number, with the plural forms of the language
    {how, select, score {...} other {...}}              by the word

A parameter that is a list is written as "a, b and c". The word is `list.and`, or `list.and.e` before a word that begins
with e (Italian has "ed" there); any letter can have one. The browser uses the same notation.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

Lookup = Callable[[str], str | None]
# The languages with a file in every catalogue. Others have a folder of their own (`languages.py`).
LANGUAGES = tuple(sorted(path.stem for path in (Path(__file__).parent / "texts").glob("*.json")))

# Languages whose plural forms are not those of English, by family.
_WITHOUT_FORMS = frozenset({"ja", "ko", "zh", "vi", "th", "id", "ms"})
_WITH_ONE_FOR_ZERO = frozenset({"fr", "pt"})
_WITH_FEW = frozenset({"cs", "sk"})
_EAST_SLAVIC = frozenset({"ru", "uk", "be"})
_SOUTH_SLAVIC = frozenset({"hr", "sr", "bs"})


def plural_form(language: str, n: int) -> str:
    """The plural form of a whole number, by the rules of CLDR."""
    if language in _WITHOUT_FORMS:
        return "other"
    ends_in_few = n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14)
    if language in _EAST_SLAVIC or language in _SOUTH_SLAVIC:
        if n % 10 == 1 and n % 100 != 11:
            return "one"
        return "few" if ends_in_few else "many" if language in _EAST_SLAVIC else "other"
    if n == 1 or (n == 0 and language in _WITH_ONE_FOR_ZERO):
        return "one"
    if language == "pl":
        return "few" if ends_in_few else "many"
    if language in _WITH_FEW:
        return "few" if n in (2, 3, 4) else "other"
    return "other"


@dataclass(frozen=True)
class Argument:
    """A placeholder: its name, its format, and the branches of a plural or a select."""

    name: str
    form: str
    branches: Mapping[str, tuple["Part", ...]]


Part = str | Argument


@cache
def parse(message: str) -> tuple[Part, ...]:
    """The parts of a message; a ValueError says what is wrong with its braces."""
    parts, end = _parse(message, 0, depth=0)
    if end != len(message):
        raise ValueError(f"A closing brace too many in the message {message!r}.")
    return parts


def _parse(text: str, at: int, depth: int) -> tuple[tuple[Part, ...], int]:
    parts: list[Part] = []
    plain = ""
    while at < len(text) and not (text[at] == "}" and depth):
        if text[at] == "}":
            raise ValueError(f"A closing brace too many in the message {text!r}.")
        if text[at] != "{":
            plain += text[at]
            at += 1
            continue
        if plain:
            parts.append(plain)
            plain = ""
        argument, at = _parse_argument(text, at + 1, depth)
        parts.append(argument)
    if plain:
        parts.append(plain)
    return tuple(parts), at


def _parse_argument(text: str, at: int, depth: int) -> tuple[Argument, int]:
    stop = at
    while stop < len(text) and text[stop] not in "{}":
        stop += 1
    if stop == len(text):
        raise ValueError(f"A closing brace is missing in the message {text!r}.")
    name, form, *_ = [piece.strip() for piece in text[at:stop].split(",")] + ["", ""]
    if text[stop] == "}":
        return Argument(name, form, {}), stop + 1
    branches: dict[str, tuple[Part, ...]] = {}
    label = text[at:stop].split(",", 2)[2].strip() if text[at:stop].count(",") >= 2 else ""
    at = stop
    while True:
        if not label:
            raise ValueError(f"A branch without a name in the message {text!r}.")
        branches[label], at = _parse(text, at + 1, depth + 1)
        at += 1  # the brace that closes the branch
        stop = at
        while stop < len(text) and text[stop] not in "{}":
            stop += 1
        if stop == len(text):
            raise ValueError(f"A closing brace is missing in the message {text!r}.")
        label = text[at:stop].strip()
        at = stop
        if text[stop] == "}":
            return Argument(name, form, branches), stop + 1


def fill(message: str, params: Mapping[str, Any], language: str, lookup: Lookup) -> str:
    """The sentence with these parameters. `lookup` finds words of the catalogue, and the names of seats."""
    return _fill(parse(message), params, language, lookup, None)


def _fill(parts: tuple[Part, ...], params: Mapping[str, Any], language: str, lookup: Lookup, n: int | None) -> str:
    sentence = ""
    for part in parts:
        if isinstance(part, str):
            text = part if n is None else part.replace("#", str(n))
            # A name can end with a full stop, which then also ends the sentence.
            sentence += text[1:] if text.startswith(".") and sentence.endswith(".") else text
        else:
            sentence += _fill_argument(part, params, language, lookup, n)
    return sentence


def _fill_argument(part: Argument, params: Mapping[str, Any], language: str, lookup: Lookup, n: int | None) -> str:
    value = params.get(part.name)
    if part.form == "plural":
        count = len(value) if isinstance(value, list) else int(value or 0)
        labels = (f"={count}", plural_form(language, count), "other")
        chosen = next(part.branches[label] for label in labels if label in part.branches)
        return _fill(chosen, params, language, lookup, count)
    if part.form == "select":
        label = str(value).lower() if isinstance(value, bool) else str(value)
        return _fill(part.branches.get(label, part.branches["other"]), params, language, lookup, n)
    if isinstance(value, list):
        return _join([_word(part.form, item, lookup) for item in value], lookup)
    return _word(part.form, value, lookup)


def _word(form: str, value: Any, lookup: Lookup) -> str:
    if not form:
        return str(value)
    found = lookup(f"{form}.{value}")
    return str(value) if found is None else found


def _join(words: list[str], lookup: Lookup) -> str:
    if len(words) < 2:
        return "".join(words)
    joint = lookup(f"list.and.{words[-1][:1].lower()}") or lookup("list.and") or "&"
    return ", ".join(words[:-1]) + f" {joint} " + words[-1]


def parameters(message: str) -> set[str]:
    """The parameters that a message names, with their forms, branches included: 'n:plural', 'card:card'."""

    def names(parts: tuple[Part, ...]) -> set[str]:
        found: set[str] = set()
        for part in parts:
            if isinstance(part, Argument):
                found.add(f"{part.name}:{part.form}")
                for branch in part.branches.values():
                    found |= names(branch)
        return found

    return names(parse(message))
