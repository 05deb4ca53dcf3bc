"""The style of the texts, as far as it can be tested: the glossary of the guide, ellipses, lengths of buttons."""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tavolino.engine.messages import LANGUAGES, Argument, Part, parse

ROOT = Path(__file__).parents[1]
GUIDE = ROOT / "docs" / "guides" / "texts.md"
LONGEST_BUTTON = 32  # characters, without what the parameters bring
STEM = 4  # letters at the start of a word that are the same in all its cases
# Words that the glossary has replaced: one word for one thing.
REJECTED = {
    "en": [
        r"\bscore stack",
        r"\bhero pile",
        r"\bpower counter",
        r"\bvictory points?\b",
        r"\b[Yy]ou wins\b",
        r"\bgiven away\b",  # what a decision costs
        r"\b[Tt]h(is|e) record\b",  # the game file
        r"\busual options\b",  # default options
        r"\b(to its end|but for|what is over)\b",  # German in English words
    ],
    "it": [
        r"\bsegnalin[oi] potere\b",
        r"\bGemme? Infinit",
        r"\bvasca\b",
        r"\bpunti vittoria\b",
        r"\bTu (vince|gioca)\b",
        r"\bConsiglio\b",  # suggerimento
        r"\b[Rr]egistrazione\b",  # il file della partita
        r"\bopzioni abituali\b",  # predefinite
        r"\bcart[ae] (scopert|nascost)[ae]\b",  # a faccia in su, coperta
        r"\b[Aa] \{(name|names|\w+, seat)\}",  # "a Ada" would be "ad Ada"
        r"\barancio\b",  # arancione
    ],
    "pl": [
        r"\bżeton\w* mocy\b",
        r"\bnotatnik",
        r"\bakwarium\b",
        r"\b[Pp]remi[aięeo]",  # bonus, płytka miejsca: the words of the printed edition
        r"\b[Ll]okacj",
        r"\bTy (wygrywa|gra)\b",
        r"\bimi(ę|enia|on)\b",  # nick
        r"\bzwykł\w+ opcj",  # domyślne opcje
        r"\bwoln(ej grze|ych grach|e gry)\b",  # powolna gra: a slow one, not a free one
        r"\b[Uu]kryt\w+ (zarezerwowan\w+ )?kart",  # zakryta karta
        r"\b([Gg]racz\w*|od|do|dla|u|za|ze?) \{(name|names|\w+, seat)\}",  # a name keeps its nominative
    ],
}


@cache
def texts(language: str) -> dict[str, str]:
    """All texts of a language, by file and key, and the pages of rules."""
    files = [*(ROOT / "src").rglob(f"texts/{language}.json"), *(ROOT / "web" / "src").rglob(f"texts/{language}.json")]
    pages = (ROOT / "src").rglob(f"rules/{language}.md")
    return {
        f"{path.relative_to(ROOT)} {key}": text
        for path in files
        for key, text in json.loads(path.read_text("utf-8")).items()
    } | {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in pages}


def glossary() -> Iterator[tuple[str, ...]]:
    rows = re.findall(r"^\| (.+) \|$", GUIDE.read_text("utf-8").partition("## Glossary")[2], re.MULTILINE)
    for row in rows[1:]:
        yield tuple(cell.strip() for cell in row.split("|"))


def shortest(parts: tuple[Part, ...]) -> int:
    """The length of a message without its parameters, by its shortest branches."""

    def length(part: Part) -> int:
        if isinstance(part, Argument):
            return min((shortest(branch) for branch in part.branches.values()), default=0)
        return len(part)

    return sum(length(part) for part in parts)


@pytest.mark.parametrize(("column", "language"), [(0, "en"), (1, "it"), (2, "pl")])
def test_the_words_of_the_glossary_are_those_of_the_texts(column: int, language: str) -> None:
    rows = list(glossary())
    assert len(rows) > 20
    everything = "\n".join(texts(language).values()).lower()
    for row in rows:
        for term in re.sub(r"\(.*?\)", "", row[column]).split("/"):
            for word in term.lower().split():
                assert word[: max(STEM, len(word) - 3)] in everything, (language, term)


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_word_for_one_thing(language: str) -> None:
    found = [
        (where, word) for where, text in texts(language).items() for word in REJECTED[language] if re.search(word, text)
    ]
    assert found == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_ellipsis_follows_its_word(language: str) -> None:
    assert [where for where, text in texts(language).items() if re.search(r"\s…|\.\.\.", text)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_buttons_are_short(language: str) -> None:
    buttons = {where: text for where, text in texts(language).items() if re.search(r" (action|short)\.", where)}
    assert len(buttons) > 20
    assert [where for where, text in buttons.items() if shortest(parse(text)) > LONGEST_BUTTON] == []


def test_no_space_stands_before_a_percent_sign() -> None:
    """As on the page and in the terminal."""
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "src" / "tavolino" / "cli").glob("*.py")]
    assert len(pages) > 60
    wrong = re.compile(r"\d %(?! \d)")
    assert [str(page.relative_to(ROOT)) for page in pages if wrong.search(page.read_text("utf-8"))] == []
    assert [where for language in LANGUAGES for where, text in texts(language).items() if wrong.search(text)] == []
