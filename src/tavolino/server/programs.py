"""Ids of people. The id of somebody who was declared to be a program says so (decision 124)."""

from __future__ import annotations

import secrets

MARK = "program~"  # no other id holds a ~


def new_person_id(is_program: bool = False) -> str:
    return (MARK if is_program else "") + secrets.token_urlsafe(16)


def is_program(person: str | None) -> bool:
    return person is not None and person.startswith(MARK)
