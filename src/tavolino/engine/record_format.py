"""The keys of a record, and the hash chain over its actions.

A record of format 2 has a `chain`: a hash over its start and every action, in order. Format 1 has none, so that a
changed action that leads to the same end state is not detected. The hash has no key: whoever writes a whole new record
can write a new chain too.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

FORMAT = 2
START = ("game", "rules", "players", "options", "seed", "decks")
REQUIRED = (*START, "actions")


def chain(record: Mapping[str, Any]) -> str:
    """The hash over the start of a record and every action, in order."""
    start = {"format": FORMAT, **{key: record[key] for key in START}}
    link = hashlib.sha256(json.dumps(start, sort_keys=True, separators=(",", ":")).encode()).digest()
    for action in record["actions"]:
        link = hashlib.sha256(link + action.encode()).digest()
    return link.hex()


def binds_every_action(record: Mapping[str, Any]) -> bool:
    """Whether a record that replays proves its actions, and not only the state at its end."""
    return "chain" in record
