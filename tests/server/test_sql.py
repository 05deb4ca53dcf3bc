"""One text for two databases."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tavolino.server import storage
from tavolino.server.storage.sql import for_postgres, for_sqlite

QUERY = "SELECT id FROM t WHERE person = :person AND id IN :ids AND (made > :now OR used > :now)"
VALUES = {"now": 3, "person": "ada", "ids": ["a", "b"]}


def test_sqlite_gets_names_and_lists_as_json() -> None:
    text, values = for_sqlite(QUERY, VALUES)
    assert "id IN (SELECT value FROM json_each(:ids)) AND" in text
    assert values == {"now": 3, "person": "ada", "ids": '["a","b"]'}


def test_postgresql_gets_numbers_in_the_order_of_first_use() -> None:
    text, values = for_postgres(QUERY, VALUES)
    assert text == "SELECT id FROM t WHERE person = $1 AND id = ANY($2) AND (made > $3 OR used > $3)"
    assert values == ["ada", ["a", "b"], 3]


def test_a_cast_is_no_parameter() -> None:
    assert for_postgres("SELECT :ids::text[], 'a'::text", {"ids": []}) == ("SELECT $1::text[], 'a'::text", [[]])


def test_a_value_that_is_missing_is_an_error() -> None:
    with pytest.raises(KeyError):
        for_postgres(QUERY, {"person": "ada"})


def test_queries_of_all_databases_are_in_none_of_their_words() -> None:
    """Modules beside `sqlite.py` and `postgres/`, and those of features, have no text that only one of the two
    understands."""
    folder = Path(storage.__file__).parent
    of_features = list(folder.parent.glob("features/*/stored.py"))
    assert len(of_features) > 3
    own = {"sqlite.py", "writer.py", "opening.py", "schema.py", "old_webhooks.py", "sql.py"}
    for path in (*folder.glob("*.py"), *of_features):
        if path.name not in own:
            found = re.search(r"\$\d|\?[,)]|json_each|::text|ANY\(|OR IGNORE|OR REPLACE|greatest\(", path.read_text())
            assert found is None, f"{path.name}: {found}"
