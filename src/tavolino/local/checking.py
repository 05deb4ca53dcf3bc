"""Checks of a game file as JavaScript calls them (`offline/checker.mjs`): no table is started for it."""

from __future__ import annotations

import json
from typing import Any

from tavolino.engine.languages import SOURCE_LANGUAGE, languages
from tavolino.engine.records import MAX_BYTES
from tavolino.server.verify.checks import Kept
from tavolino.server.verify.telling import told_file

READ_BYTES = MAX_BYTES + 1  # as much of a file as is needed to say that it is too large


def check(content: Any, commitment: str, salt: str, language: str) -> str:
    """What the checks of a file have found, as JSON. `content`: its first `READ_BYTES` bytes; '': nothing was kept."""
    known = language if language in languages() else SOURCE_LANGUAGE
    return json.dumps(told_file(bytes(content), Kept(commitment or None, salt or None), known))
