"""Compiles the games first, and runs the tests here that are coroutines, each on an event loop of its own."""

from __future__ import annotations

import asyncio
from inspect import iscoroutinefunction
from typing import Any

import pytest

import tavolino
from tavolino.bots.warmup import warm_all


@pytest.fixture(scope="session", autouse=True)
def compiled() -> None:
    """A local table finds its games compiled ahead; here Numba compiles them, which takes longer than a page waits."""
    warm_all(lambda progress: None, tavolino.games(), ["rules", "worlds", "medium", "hard"])


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: Any) -> bool | None:
    if not iscoroutinefunction(pyfuncitem.obj):
        return None
    names = pyfuncitem._fixtureinfo.argnames
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True
