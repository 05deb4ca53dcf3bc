"""Writes the tables of the research guide from the code that they describe.

python -m tavolino.research.guide_tables docs/guides/research.md
"""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from tavolino.games import games
from tavolino.research.encodings import Encoding, encoding_of

BEGIN, END = "<!-- written by tavolino.research.guide_tables -->", "<!-- end of the written part -->"


def tables() -> str:
    """Observations and actions of all games, in Markdown."""
    return "\n\n".join(_section(encoding_of(name)) for name in games())


def rewrite(guide: str) -> str:
    """The guide with its generated part replaced."""
    before, _, rest = guide.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{tables()}\n\n{END}{after}"


def _section(encoding: Encoding) -> str:
    sizes = f"{encoding.size} components"
    if encoding.has_knowledge:
        sizes += f", {encoding.open_size} without knowledge"
    heading = f"### {encoding.game.name}: encoding {encoding.version}, rules {encoding.game.rules}"
    return "\n\n".join(
        (
            heading,
            f"Observation: {sizes}.",
            _table(("from", "length", "name", "highest", "what it says"), _slices(encoding)),
            f"Actions: {encoding.action_count}.",
            _table(("from", "count", "action", ""), _actions(encoding)),
        )
    )


def _slices(encoding: Encoding) -> Iterable[Sequence[object]]:
    for part in encoding.slices:
        meaning = part.meaning + (" (knowledge)" if part.is_knowledge else "")
        yield encoding.slice_of(part.name).start, part.length, f"`{part.name}`", part.highest, meaning


def _actions(encoding: Encoding) -> Iterable[Sequence[object]]:
    for part in encoding.actions:
        yield part.first, part.count, f"`{part.name}`", part.meaning


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(rewrite(path.read_text(encoding="utf-8")), encoding="utf-8")
