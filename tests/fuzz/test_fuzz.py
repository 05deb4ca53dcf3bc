"""A short run of what `python -m tests.fuzz` does for long, and inputs that hypothesis makes up."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.fuzz import targets
from tests.fuzz.__main__ import SHARES, run
from tests.fuzz.mutations import read_corpus
from tests.server.conftest import compile_games

MANY = settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
masked = st.builds(
    lambda first, size, mask, content: bytes((first, 0x80 | size)) + mask + content,
    st.integers(0, 255),
    st.integers(0, 127),
    st.binary(min_size=4, max_size=4),
    st.binary(max_size=200),
)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_threat_67_thousands_of_mutated_inputs_break_grow_and_change_nothing(tmp_path: Path) -> None:
    compile_games()
    tally = asyncio.run(run(20_000, seed=25, folder=tmp_path / "data"))
    print(f"\ntried: {tally.tried}; memory grew by {tally.grown:.1f} MB")
    assert sum(tally.tried.values()) >= 19_990
    assert not tally.changed
    assert tally.grown < 20


@pytest.mark.parametrize("name", SHARES)
def test_threat_67_the_corpus_itself_holds(tmp_path: Path, name: str) -> None:
    compile_games()

    async def work() -> None:
        async with targets.serve(tmp_path / "data") as server:
            target = {"frames": targets.frames, "heads": server.head, "commands": server.command}.get(
                name, targets.record
            )
            before = await server.counts()
            for data in read_corpus(name):
                await target(data, random.Random(1))
            assert await server.counts() == before

    assert len(read_corpus(name)) >= 8
    asyncio.run(work())


@MANY
@given(st.lists(masked | st.binary(max_size=50), max_size=6).map(b"".join), st.integers(0, 2**16))
@example(b"\x88\x82\x00\x00\x00\x00\x03\xe8", 1)
def test_threat_67_frames_that_hypothesis_makes_up(data: bytes, seed: int) -> None:
    asyncio.run(targets.frames(data, random.Random(seed)))


def test_the_targets_notice_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fuzzer can fail: it finds a reader that buffers frames without bound, and a record reader that crashes."""

    def never(data: bytes, at: int) -> None:
        return None

    monkeypatch.setattr("tavolino.server.transport.websocket.read_frame", never)
    with pytest.raises(AssertionError):
        asyncio.run(targets.frames(bytes(70_000), random.Random(1)))
    monkeypatch.setattr("tavolino.replay", broken_replay)
    with pytest.raises(ZeroDivisionError):
        asyncio.run(targets.record(b"{}", random.Random(1)))


broken_replay: Callable[[object], object] = lambda record: 1 // 0  # noqa: E731
