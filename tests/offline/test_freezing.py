"""Modules frozen for the offline pack: what is left out, what becomes a literal, and what cannot be frozen."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tavolino.games import games
from tavolino.offline import small_numpy
from tavolino.offline.freezing import MAX_LITERAL, freeze
from tavolino.offline.modules import CannotFreeze, is_omitted, modules

SOURCE = '''
"""Of no use in a pack."""
from typing import TYPE_CHECKING
import numpy
from tavolino.engine.compiled import compiled, entry

if TYPE_CHECKING:
    from nowhere import Nothing

TABLE = numpy.arange(6).reshape(2, 3) * 2
LARGE = numpy.arange(4096)
LEAST = int(TABLE.sum(axis=1).min())
NAME: str = "kept"

@entry
def called(s: "Nothing", n: int = 3) -> int:
    """Compiled ahead."""
    return inner(s) + n

@compiled
def inner(s: "Nothing") -> int:
    return s.n

class Thing:
    """With a word."""

def plain() -> list[int]:
    """A sum."""
    return TABLE.tolist()
'''


def imported(source: str) -> ModuleType:
    module = ModuleType("sample")
    exec(compile(source, "sample", "exec"), vars(module))
    return module


def test_compiled_bodies_docstrings_and_imports_for_types_are_left_out() -> None:
    text = freeze("sample", SOURCE, imported(SOURCE))
    assert "return s.n" not in text
    assert "inner(s) +" not in text
    assert "nowhere" not in text
    assert "Of no use" not in text
    assert "A sum" not in text
    assert "NAME: str = 'kept'" in text


def test_arrays_become_literals_which_the_small_numpy_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    module = imported(SOURCE)
    text = freeze("sample", SOURCE, module)
    assert module.LARGE.nbytes > MAX_LITERAL
    monkeypatch.setitem(__import__("sys").modules, "numpy", small_numpy)
    frozen: Any = imported(text)
    assert isinstance(frozen.TABLE, small_numpy.ndarray)
    assert frozen.plain() == module.plain() == [[0, 2, 4], [6, 8, 10]]
    assert frozen.LARGE is None
    assert frozen.LEAST == 6


def test_what_cannot_be_frozen_is_an_error_that_names_it() -> None:
    records = ModuleType("sample")
    vars(records)["ROWS"] = np.zeros(2, np.dtype([("a", np.int32)]))
    with pytest.raises(CannotFreeze, match=r"sample\.ROWS: an array of records"):
        freeze("sample", "ROWS = make()\n", records)
    vars(records)["A"] = vars(records)["B"] = np.zeros(2)
    with pytest.raises(CannotFreeze, match="sample, line 1: arrays for several names"):
        freeze("sample", "A = B = make()\n", records)


def test_the_pack_has_the_kernel_and_neither_a_compiler_nor_a_server() -> None:
    found = modules(games())
    assert {"tavolino.local.browser", "tavolino.server.kernel.actor", "tavolino.games.mantis.game"} <= found.keys()
    assert [name for name in found if is_omitted(name)] == []
    assert not {"tavolino.server.context", "tavolino.server.app", "tavolino.engine.jit"} & found.keys()
    text = "".join(path.read_text("utf-8") for name, path in found.items() if ".server." in name)
    assert "\nfrom starlette" not in text
    assert "\nimport starlette" not in text
