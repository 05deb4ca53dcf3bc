"""The rules as pages, with their ids: read from `rules/{language}.md` in each game's folder.

A page has sections (`## Title`) and rules (`- **MA-01** text`, an `R` after the id for a ruling of ours).
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from tavolino.engine.game import Game
from tavolino.engine.messages import LANGUAGES
from tavolino.server import protocol as p
from tavolino.server.errors import Refused

RULE = re.compile(r"- \*\*(?P<id>[A-Z]{2}-\d+)(?P<marks>[ RT]*)\*\*\s*(?P<text>.*)")


def path_of(game: Game, language: str) -> Path:
    return game.folder / "rules" / f"{language}.md"


@cache
def rules_page(game: Game, language: p.Language) -> p.RulesPage:
    if language not in LANGUAGES:
        raise Refused("no-such-language")
    path = path_of(game, language)
    if not path.is_file():
        raise Refused("no-rules")
    sections: list[p.RulesSection] = []
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("## "):
            sections.append(p.RulesSection(line[3:].strip(), []))
        elif sections and (found := RULE.match(line)):
            rule = p.Rule(found["id"], found["text"], "R" in found["marks"])
            sections[-1].rules.append(rule)
        elif sections and sections[-1].rules and line.strip():
            sections[-1].rules[-1].text += " " + line.strip()
    return p.RulesPage(game.name, language, [section for section in sections if section.rules])
