"""The data card: what a dataset holds, how it was made, and what may be used for what."""

import json
from typing import Any

from tavolino.coach.beliefs import beliefs_of
from tavolino.datasets.plan import ExportPlan
from tavolino.research.encodings import encoding_of

_FROM_PYTHON = """\
```python
from tavolino.datasets.files import read_shard

columns = read_shard("{file}")  # a dict of arrays, a row for each decision
columns["observation"], columns["mask"], columns["action"]
```
"""
_BYTES = """\
In Parquet, `observation` and `mask` are binary columns of one width: `numpy.frombuffer(row, "uint8")`. The other
columns with several numbers are lists of one length. All files at once:
`pyarrow.parquet.read_table(sorted(glob.glob("games-*.parquet")))`.
"""


def data_card(plan: ExportPlan, index: dict[str, Any]) -> str:
    """The card in Markdown; it depends on nothing but the dataset."""
    shards = index["shards"]
    decisions = sum(shard["decisions"] for shard in shards)
    rows = "\n".join(f"| `{name}` | {kind} | {meaning} |" for name, kind, meaning in _columns(plan))
    options = ", ".join(f"{name}={json.dumps(value)}" for name, value in plan.options.items()) or "defaults"
    parts = [
        f"# Games of {plan.game}",
        f"{sum(shard['games'] for shard in shards):,} games with {decisions:,} decisions, in {len(shards):,} files."
        f" {plan.players} players: {', '.join(plan.bots)}. Options: {options}. Seed: {json.dumps(plan.seed)}.",
        f"Made with `tavolino export`, Tavolino {index['tavolino']}: rules {index['rules']}, encoding"
        f" {index['encoding']}."
        " The same command gives the same bytes, with any number of workers; `dataset.json` has all settings and the"
        " SHA-256 of each shard.",
        "## Columns",
        f"| column | type | what |\n|---|---|---|\n{rows}",
        *([_BYTES.strip()] if plan.format == "parquet" else []),
        _FROM_PYTHON.format(file=plan.file_name(0)).strip(),
        "## What it may be used for",
        _uses(plan),
        "## Games again",
        f"Game number N is `tavolino.load({plan.game!r}).start({plan.players}, {json.dumps(plan.seed + ' ')} + str(N),"
        " options)`: it deals the same cards. Line-ups rotate: the seats of a player change from game to game.",
    ]
    if plan.beliefs:
        parts.append(_places(plan))
    return "\n\n".join(parts) + "\n"


def _columns(plan: ExportPlan) -> list[tuple[str, str, str]]:
    encoding = encoding_of(plan.game)
    size = encoding.size if plan.knowledge else encoding.open_size
    actions = encoding.action_count
    found = [
        ("game", "int64", "number of the game"),
        ("turn", "int32", "number of the decision in its game, from 0"),
        ("seat", "int8", "who decides"),
        ("observation", f"uint8[{size}]", "what that seat may know, slice by slice as in the research guide"),
        ("mask", f"uint8[{actions}]", "1 for each legal action"),
        ("action", "int16", "the action taken, as the seat itself numbers actions"),
        ("return", "float32", "what the seat got at the end: -1 lost, 1 won, or the payoff of the game"),
    ]
    if plan.values:
        playouts = f"over {plan.worlds} worlds that the seat holds possible, when all go on like medium"
        found += [
            ("value", f"float32[{actions}]", f"the chance to win after each legal action {playouts}; NaN: not legal"),
            ("value_error", f"float32[{actions}]", "its standard error; actions share their worlds"),
        ]
    if plan.luck:
        found += [
            (
                "luck",
                f"float32[{plan.players}]",
                "what chance changed in the chance to win by this step, for each seat",
            ),
            ("luck_error", f"float32[{plan.players}]", "at most so large is its standard error"),
        ]
    if plan.beliefs:
        beliefs = beliefs_of(plan.game)
        shape = f"float32[{len(beliefs.places)} x {len(beliefs.cards)}]"
        found += [
            ("belief", shape, "by hidden place and card, flat: how many of the card are there, on average"),
            ("belief_error", shape, f"its standard error; where worlds are drawn, there are {plan.worlds}"),
            ("belief_is_exact", "bool", "true: counted over all arrangements; false: from worlds that were drawn"),
        ]
    return found


def _uses(plan: ExportPlan) -> str:
    told = [
        "`observation` and `mask` hold only what the deciding seat may know. `return` is known at the end only:"
        " learn it, but do not feed it to a policy."
    ]
    if plan.values or plan.beliefs:
        told.append("Values and beliefs are computed from what the deciding seat has seen.")
    if plan.luck:
        told.append(
            "`luck` is told for all seats, clockwise from the one that decides, each from what that seat has seen: it"
            " says something of the cards of others, and is no input for a policy."
        )
    if plan.beliefs:
        told.append(
            "A belief is even over the arrangements that fit what was seen; nothing is inferred from how the"
            " others play."
        )
    told.append("Bots are not people: nothing here says how people play.")
    return " ".join(told)


def _places(plan: ExportPlan) -> str:
    beliefs = beliefs_of(plan.game)
    return (
        "## Hidden places\n\nPlaces (rows, +1 is the next seat): "
        + ", ".join(f"`{place}`" for place in beliefs.places)
        + ".\n\nCards (columns): "
        + ", ".join(f"`{card}`" for card in beliefs.cards)
        + "."
    )
