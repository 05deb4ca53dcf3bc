"""The findings of an examination, one sentence each."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Finding(NamedTuple):
    level: Literal["ok", "warning", "failure"]
    sentence: str


def ok(sentence: str) -> Finding:
    return Finding("ok", sentence)


def warning(sentence: str) -> Finding:
    return Finding("warning", sentence)


def failure(sentence: str) -> Finding:
    return Finding("failure", sentence)
