"""Removes webhook addresses from entries in which older servers have written them.

An address is a secret, and entries are kept as long as their table. The address becomes an item of the person who gave
it, which can be deleted (`notifications/preferences.py`); this changes the hash of the table's entries (`chain.py`).
This code is needed as long as such data exists. For SQLite it is a migration (`schema.py`); for PostgreSQL, where older
servers may still run beside this one, it is repeated (`postgres/old_webhooks.py`).
"""

from __future__ import annotations

from typing import NamedTuple

import apsw
import msgspec

from tavolino.server.storage import chain

BEGINNING = b'{"k":"webhook","url":"'  # of an entry with an address


class Cleaned(NamedTuple):
    """A table's entries without addresses."""

    changed: list[tuple[int, bytes]]  # numbers and entries
    chain: bytes | None
    person: str | None  # who gave the current address; None if there is none
    address: str


def clean(table: str, entries: list[bytes], hashed: bytes | None) -> Cleaned:
    """Remove addresses from these entries. Damaged entries stay damaged, so that the check still finds them."""
    changed: list[tuple[int, bytes]] = []
    new = list(entries)
    host, person, address = "", None, ""
    for number, entry in enumerate(entries, start=1):
        if entry.startswith(BEGINNING):
            person, address = host, _field(entry, "url")
            new[number - 1] = msgspec.json.encode({"k": "webhook", "url": None, "person": host})
            changed.append((number, new[number - 1]))
        elif entry.startswith((b'{"k":"webhook"', b'{"k":"ended"')):
            person = None
        elif entry.startswith(b'{"k":"opened"'):
            host = _field(entry, "host")
        elif entry.startswith(b'{"k":"host"'):
            host = _field(entry, "person")
    begin = chain.begin(table)
    if hashed is not None and hashed == chain.extend(begin, entries):
        hashed = chain.extend(begin, new)
    return Cleaned(changed, hashed, person, address)


def _field(entry: bytes, name: str) -> str:
    try:
        return str(msgspec.json.decode(entry)[name])
    except (msgspec.DecodeError, KeyError):  # damaged
        return ""


def item_name(table: str) -> str:
    """The name of the item that holds the address for this table."""
    return f"webhook/{table}"


def clean_file(connection: apsw.Connection) -> None:
    """Clean the whole SQLite file, within a transaction."""
    query = "SELECT DISTINCT table_id FROM entries WHERE substr(entry, 1, ?) = ?"
    tables = [table for (table,) in connection.execute(query, (len(BEGINNING), BEGINNING))]
    for table in tables:
        found = connection.execute("SELECT entry FROM entries WHERE table_id = ? ORDER BY number", (table,))
        entries = [bytes(entry) for (entry,) in found]
        hashed = connection.execute("SELECT chain FROM tables WHERE id = ?", (table,)).get
        changed, hashed, person, address = clean(table, entries, hashed)
        for number, entry in changed:
            connection.execute("UPDATE entries SET entry = ? WHERE table_id = ? AND number = ?", (entry, table, number))
        connection.execute("UPDATE tables SET chain = ? WHERE id = ?", (hashed, table))
        connection.execute("DELETE FROM snapshots WHERE table_id = ?", (table,))
        keep = "INSERT OR REPLACE INTO items SELECT id, ?, ? FROM people WHERE id = ?"
        connection.execute(keep, (item_name(table), address.encode(), person))
