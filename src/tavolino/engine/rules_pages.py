"""The rules of a game as they are written for players: `rules/{language}.md` in its folder.

A page has sections (`## Title`) and rules (`- **XY-01** text`, with an `R` after the id for a ruling of ours).
"""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tavolino.engine.languages import SOURCE_LANGUAGE, language_folders

if TYPE_CHECKING:
    from tavolino.engine.game import Game

RULE = re.compile(r"- \*\*(?P<id>[A-Z]+-\d+)(?P<marks>[ RT]*)\*\*\s*(?P<text>.*)")


class NoRules(LookupError):
    """A game without written rules."""


@dataclass
class Rule:
    id: str
    text: str
    is_ruling: bool


@dataclass
class Section:
    title: str
    rules: list[Rule] = field(default_factory=list)


def rules_path(game: "Game", language: str) -> Path:
    """The rules in a language; in English if that language has none."""
    own = language_folders().get(language, game.folder) / "rules" / f"{game.name}.md"
    beside = game.folder / "rules" / f"{language}.md"
    english = game.folder / "rules" / f"{SOURCE_LANGUAGE}.md"
    return next((path for path in (own, beside) if path.is_file()), english)


def read_rules(game: "Game", language: str) -> tuple[str, list[Section]]:
    """The language in which the rules are written, and their sections."""
    path = rules_path(game, language)
    if not path.is_file():
        raise NoRules(f"The rules of {game.name} are not written down.")
    sections: list[Section] = []
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("## "):
            sections.append(Section(line[3:].strip()))
        elif sections and (found := RULE.match(line)):
            sections[-1].rules.append(Rule(found["id"], found["text"], "R" in found["marks"]))
        elif sections and sections[-1].rules and line.strip():
            sections[-1].rules[-1].text += " " + line.strip()
    spoken = SOURCE_LANGUAGE if path == rules_path(game, SOURCE_LANGUAGE) else language
    return spoken, [section for section in sections if section.rules]
