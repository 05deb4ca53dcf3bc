"""What checks have found, as sentences in a language."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tavolino.engine.errors import BadRecord
from tavolino.engine.languages import SOURCE_LANGUAGE
from tavolino.engine.messages import fill
from tavolino.engine.records import told as told_bad
from tavolino.engine.texts import read_texts
from tavolino.server.verify.checks import CannotCheck, Check, Kept, Verdict, check_file

FOLDER = Path(__file__).parent
_STATES = {True: "yes", False: "no", None: "open"}


def told_file(content: bytes, kept: Kept | None = None, language: str = SOURCE_LANGUAGE) -> dict[str, Any]:
    """What the checks of a file have found, as JSON: sentences with a code each."""
    if kept is not None and not kept.is_possible:
        return told_refusal(CannotCheck("not-kept"), language)
    try:
        return told_verdict(check_file(content, kept), language)
    except CannotCheck as problem:
        return told_refusal(problem, language)


def told_verdict(verdict: Verdict, language: str) -> dict[str, Any]:
    return {
        "result": verdict.result,
        "text": _say(f"result.{verdict.result}", {}, language),
        "checks": [
            {"key": check.key, "holds": check.holds, "text": told_check(check, language)} for check in verdict.checks
        ],
        "limits": [{"key": key, "text": _say(f"limit.{key}", {}, language)} for key in verdict.limits],
        "table": verdict.table,
        "commitment": verdict.commitment,
    }


def told_check(check: Check, language: str = SOURCE_LANGUAGE) -> str:
    params = {**check.params, **_why(check.why, language)}
    return _say(f"check.{check.key}.{_STATES[check.holds]}", params, language)


def told_refusal(problem: CannotCheck, language: str) -> dict[str, Any]:
    return {
        "result": problem.key,
        "text": _say(f"refusal.{problem.key}", _why(problem.why, language), language),
        "checks": [],
        "limits": [],
        "table": None,
        "commitment": None,
    }


def _why(bad: BadRecord | None, language: str) -> dict[str, str]:
    return {} if bad is None else {"why": told_bad(bad, language)}


def _say(key: str, params: Mapping[str, Any], language: str) -> str:
    texts = read_texts(FOLDER, language)
    return fill(texts[key], params, language, texts.get)
