"""Entry points compiled together with all that they call: what we rely on in Numba's code libraries."""

import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np
import pytest
from numba.core.caching import NullCache

import tavolino
from tavolino.engine.cache_folder import SUFFIX
from tavolino.engine.code_cache import _game_folder
from tavolino.engine.compiled import IS_PLAIN, compile_for, compiled, entry, inlined
from tavolino.engine.machine_code import EntryLibrary, InnerLibrary

pytestmark = pytest.mark.skipif(IS_PLAIN, reason="ordinary Python has no machine code")

BASE = np.array([100, 200, 300])


@compiled
def base(number: int) -> int:
    return int(BASE[number])


@inlined
def twice(number: int) -> int:
    return 2 * base(number)


@compiled
def table_sum(number: int) -> int:
    rows = np.zeros((2, 3), dtype=np.int64)
    rows[1, number] = base(number)
    return int(rows.sum())


@compiled
def checked(number: int) -> int:
    if number > 2:
        raise ValueError("The number is too large.")
    return table_sum(number)


@entry
def total(number: int) -> int:
    return checked(number) + twice(number) + base(0)


@entry
def difference(number: int) -> int:
    return twice(number) - table_sum(number)


def test_several_entry_points_share_inner_functions() -> None:
    assert total(1) == 400 + 200 + 100
    assert difference(2) == 600 - 300


@compiled
def never_calls(number: int) -> int:
    if number != number:  # the optimiser sees that this cannot be, before anything is linked
        return lonely(number)
    return number


@compiled
def lonely(number: int) -> int:
    return number + 1000


@compiled
def calls_far_below(number: int) -> int:
    return calls_below(number)


@compiled
def calls_below(number: int) -> int:
    return lonely(number)


@entry
def all_of_them(number: int) -> int:
    return never_calls(number) + calls_far_below(number)


def test_a_function_that_one_caller_has_no_use_for_is_still_there_for_the_next() -> None:
    assert all_of_them(1) == 1 + 1001


def test_a_call_that_leads_nowhere_is_found_when_it_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    @entry
    def alone(number: int) -> int:
        return base(number)

    monkeypatch.setattr("tavolino.engine.machine_code._all_called", lambda libraries: [])
    with pytest.raises(AssertionError, match="was not linked"):
        compile_for(alone, 1)


def test_an_error_of_an_inner_function_reaches_python() -> None:
    with pytest.raises(ValueError, match="The number is too large"):
        total(3)
    assert total(0) == 200 + 100 + 100, "and the next call is as before"


def test_only_entry_points_have_machine_code_of_their_own() -> None:
    @compiled
    def inner(number: int) -> int:
        return base(number)

    @entry
    def outer(number: int) -> int:
        return inner(number)

    outer._cache = NullCache()  # type: ignore[attr-defined]  # compiled here, whatever other processes have done
    assert outer(1) == 200
    (of_outer,) = outer.overloads.values()  # type: ignore[attr-defined]
    (of_inner,) = inner.overloads.values()  # type: ignore[attr-defined]
    assert isinstance(of_outer.library, EntryLibrary)
    assert of_outer.library._get_compiled_object()
    assert isinstance(of_inner.library, InnerLibrary)
    with pytest.raises(RuntimeError, match="no compiled object"):
        of_inner.library._get_compiled_object()


def test_an_inner_function_can_be_called_from_a_test() -> None:
    assert table_sum(2) == 300


def test_compiling_for_arguments_calls_nothing() -> None:
    @entry
    def fill(numbers: np.ndarray) -> None:
        numbers[:] = 7

    numbers = np.zeros(3)
    compile_for(fill, numbers)
    assert list(fill.overloads) == [(numba.typeof(numbers),)]  # type: ignore[attr-defined]
    assert numbers.sum() == 0


PROGRAM = """
import sys
from pathlib import Path
from typing import NamedTuple
import numpy as np
from tavolino.engine import dispatch, sources
from tavolino.engine.compiled import compiled, entry

RECORD = np.dtype([("n", np.int32)], align=True)

@compiled
def _step(s):
    if s.n > 50:
        raise ValueError("too far")
    s.n += np.zeros(3).size

@compiled
def apply(s, action):
    _step(s)
    s.n += action

sources.remember_folder(RECORD, Path(sys.argv[1]), "toy")
dispatch.register(RECORD, apply=apply)

@entry
def play(states, action):
    dispatch.apply(states[0], action)
    return states[0].n

@entry
def play_twice(states, action):
    dispatch.apply(states[0], action)
    dispatch.apply(states[0], action)
    return states[0].n

ask = globals()[sys.argv[2]]
print(ask(np.zeros(1, RECORD), 5), len(apply.overloads), len(_step.overloads))
try:
    ask(np.full(1, 60, np.int32).view(RECORD), 5)
except ValueError as error:
    print(error)
"""


def run(folder: Path, name: str) -> list[str]:
    (folder / "sources").mkdir(exist_ok=True)
    program = folder / "program.py"
    program.write_text(PROGRAM)
    settings = {"TAVOLINO_CACHE": str(folder / "cache"), "PATH": "", "HOME": str(folder)}
    command = [sys.executable, str(program), str(folder / "sources"), name]
    return subprocess.run(command, env=settings, capture_output=True, text=True, check=True).stdout.splitlines()


@pytest.mark.slow
def test_a_second_entry_point_takes_what_a_game_does_from_the_cache(tmp_path: Path) -> None:
    assert run(tmp_path, "play") == ["8 1 1", "too far"]
    stored = {path.name.split("-")[0] for path in (tmp_path / "cache").rglob(f"*{SUFFIX}")}
    assert stored == {"__main__.apply", "__main__.play"}
    assert run(tmp_path, "play_twice") == ["16 1 0", "too far"], "what `apply` calls is not compiled again"
    assert run(tmp_path, "play_twice") == ["16 0 0", "too far"], "and now nothing is"
    (tmp_path / "sources" / "rules.py").write_text("an edit")
    assert run(tmp_path, "play_twice") == ["16 1 1", "too far"]


def test_numba_is_pinned_to_the_version_whose_libraries_these_are() -> None:
    pins = (Path(__file__).parents[2] / "pyproject.toml").read_text()
    assert f"numba~={numba.__version__.rsplit('.', 1)[0]}.0" in pins


class Pair(NamedTuple):
    number: int
    states: object


@pytest.mark.parametrize("name", tavolino.games())
def test_the_game_is_found_wherever_its_record_is_among_the_arguments(name: str) -> None:
    """The sources of that game are part of the cache's key; without them stale code would be loaded."""
    game = tavolino.load(name)
    states = game.new_states()
    for arguments in ((1, states), (1, states[0]), (Pair(1, states), 1.0), ((1, (2, states)),)):
        assert _game_folder(tuple(numba.typeof(argument) for argument in arguments)) == game.folder
    assert _game_folder((numba.typeof(np.zeros(3)),)) is None
