"""Faults of a real server process, one after another: stopped, out of descriptors, memory or disk space.

Whatever was acknowledged is there, whatever was refused is not, and when a fault is over the server goes on, or ends
and starts again on the same data. Faults at each call of the storage are in `test_storage_faults.py`, jumps of the
clock in `test_clock.py` and `test_clocks.py`.
"""

from __future__ import annotations

import os
import random
import resource
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.sampling import few_or_many
from tests.server.clients import Guest
from tests.server.killing import KillableServer, PlayedTable, Tally, check, open_played_table

MOVES = 4  # that are tried during each fault
ENDS = ("must start again", "is stopping")  # what health says of a server that ends a moment later
UNKNOWN = ("storage-broken", "stopping", "busy")  # what is answered with these may have happened, or come too late


@contextmanager
def stopped(pid: int) -> Iterator[None]:
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def limited(kind: int, least: Callable[[int], int]) -> Callable[[int], Any]:
    """A limit of the process, lowered to what it uses now."""

    @contextmanager
    def fault(pid: int) -> Iterator[None]:
        before = resource.prlimit(pid, kind)
        resource.prlimit(pid, kind, (least(pid), before[1]))
        try:
            yield
        finally:
            if is_alive(pid):
                resource.prlimit(pid, kind, before)

    return fault


def memory_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[0]) * resource.getpagesize()


def open_files_of(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


FAULTS: dict[str, Callable[[int], Any]] = {
    "stopped": stopped,
    "descriptors": limited(resource.RLIMIT_NOFILE, open_files_of),
    "memory": limited(resource.RLIMIT_AS, memory_of),
    "files": limited(resource.RLIMIT_FSIZE, lambda pid: 4_096),
}


def ask(person: Guest, method: str, path: str, timeout: float, **body: Any) -> httpx.Response | None:
    try:
        with httpx.Client(base_url=person.address, headers=person.headers, timeout=timeout, verify=False) as client:
            return client.request(method, path, json=body or None)
    except httpx.TransportError:
        return None


def play_moves(played: PlayedTable, chance: random.Random, timeout: float, moves: int, said: Counter[str]) -> int:
    """Try to move; says how many were acknowledged. Stops when the outcome of one is unknown. `said` counts the other
    answers."""
    done = 0
    for _ in range(moves):
        for person in played.people:
            shown = ask(person, "GET", f"/api/tables/{played.table}/play", timeout)
            if shown is None or shown.status_code != 200:
                said[f"play: {shown.text if shown else 'no answer'}"] += 1
                continue
            view = shown.json()["view"]
            if not view["legal"]:
                said[f"seat {view['seat']}: seat {view['to_act']} is to act"] += 1
                continue
            action, turn = chance.choice(view["legal"]), len(played.acknowledged)
            path = f"/api/tables/{played.table}/commands"
            played.unanswered.append(action)
            answer = ask(person, "POST", path, timeout, type="move", turn=turn, action=action)
            if answer is None or (answer.status_code != 200 and answer.json()["code"] in UNKNOWN):
                said[f"move: {answer.text if answer else 'no answer'}"] += 1
                return done  # it may still be stored, even after the fault: `check` finds it then
            if answer.status_code == 200:
                played.acknowledge(action)
                done += 1
            else:
                played.unanswered.remove(action)
                said[f"move: {answer.text}"] += 1
    return done


def go_on(server: KillableServer) -> bool:
    """Wait until the server works again; True if it had to be restarted."""
    end = time.monotonic() + 90
    while is_alive(server._process):
        try:
            problems = server.http.get("/healthz").json()["problems"]
            if not any(sign in sentence for sign in ENDS for sentence in problems):
                return False
        except (httpx.TransportError, ValueError, KeyError):  # no answer, or one that is none of health
            pass
        assert time.monotonic() < end
        time.sleep(0.05)
    assert server._cradle.stdout is not None
    assert server._cradle.stdout.readline() == "dead\n"
    server.start()
    return True


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_threat_42_a_real_process_goes_on_after_every_fault_and_what_it_said_is_true(tmp_path: Path) -> None:
    server, chance, tally = KillableServer(tmp_path / "data"), random.Random(24), Tally()
    faults = few_or_many(2 * len(FAULTS), 40)
    server.start()
    tried, restarts, acknowledged = Counter[str](), Counter[str](), 0
    try:
        played = open_played_table(server)
        for number in range(faults):
            kind = list(FAULTS)[number % len(FAULTS)]
            with FAULTS[kind](server._process):
                tried[kind] += 1
                play_moves(played, chance, timeout=1.0 if kind == "stopped" else 5.0, moves=MOVES, said=Counter())
            restarts[kind] += go_on(server)
            over = check(server, played, tally)
            assert tally.wrong == [], (kind, number)
            said = Counter[str]()
            done, end = 0, time.monotonic() + 90  # a server that was started again loads the rules first
            while not done and not over:
                assert time.monotonic() < end, f"no move is possible after {kind}: {said}"
                done = play_moves(played, chance, timeout=30.0, moves=1, said=said)
                over = check(server, played, tally)
                assert tally.wrong == [], (kind, number)
            acknowledged += len(played.acknowledged) if over else 0
            played = open_played_table(server) if over else played
    finally:
        server.kill()
        server.close()
    total = acknowledged + len(played.acknowledged)
    print(f"\nfaults tried: {dict(tried)}; starts anew: {dict(+restarts)}; {total} moves acknowledged, 0 lost")
    assert tally.lost == 0
    assert sum(tried.values()) == faults
    assert total >= faults
