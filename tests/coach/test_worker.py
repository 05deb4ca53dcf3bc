"""The process that computes reviews: its priority, and that it does not wait for ever on a busy machine."""

from __future__ import annotations

import io
import json
import os
import sys
import threading
from typing import Any

import pytest

from tavolino.coach import review as reviews
from tavolino.coach import worker
from tests.coach.games import LITTLE, played


def niceness() -> int:
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has priorities of threads")
@pytest.mark.parametrize(("patience", "nice"), [(3600.0, worker.NICE), (0.0, worker.LATE_NICE)])
def test_steps_that_have_waited_for_long_are_done_at_a_higher_priority(
    monkeypatch: pytest.MonkeyPatch, patience: float, nice: int
) -> None:
    match, seen = played("mantis", 2, "priority"), []
    take = reviews._Reviewer.take

    def noted(reviewer: Any, action: str) -> None:
        seen.append(niceness())
        take(reviewer, action)

    monkeypatch.setattr(reviews._Reviewer, "take", noted)
    monkeypatch.setattr(reviews.review, "__defaults__", (LITTLE, *reviews.review.__defaults__[1:]))  # type: ignore[index]
    monkeypatch.setattr(worker, "PATIENCE", patience)
    monkeypatch.setattr(worker, "IDLE", False)  # other tests would starve it
    out = io.StringIO()
    record = match.record()
    own = niceness()

    def work() -> None:
        worker._lower_priority(worker.LATE_NICE)  # as the process does first of all
        worker.work_out({"record": record, "seat": 0}, out)

    done = threading.Thread(target=work)  # its priority is lost
    done.start()
    done.join()
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert lines[-1]["review"]["seat"] == 0
    assert seen == [max(nice, own)] * len(record["actions"])


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has this policy")
@pytest.mark.parametrize("has_time", [True, False])
def test_steps_run_at_idle_priority_only_while_the_machine_has_idle_time(
    monkeypatch: pytest.MonkeyPatch, has_time: bool
) -> None:
    idle: list[int] = []
    monkeypatch.setattr(os, "sched_setscheduler", lambda *policy: idle.append(threading.get_native_id()))
    monkeypatch.setattr(worker, "PROBE_SECONDS", 60.0)
    stuck, seen = threading.Event(), []

    def take_steps() -> None:
        steps = worker._Steps()
        if not has_time:  # an idle thread gets no CPU time
            monkeypatch.setattr(worker, "PROBE_SECONDS", 0.0)
            assert steps._idle is not None
            steps._idle.submit(stuck.wait)
        for _ in range(3):
            steps.perform(lambda: seen.append(threading.get_native_id()))
        seen.append(threading.get_native_id())

    thread = threading.Thread(target=take_steps)  # its priority is lost
    thread.start()
    thread.join()
    stuck.set()
    *done_by, control = seen
    assert [one in idle for one in done_by] == [has_time] * 3
    assert control not in (*done_by, *idle), "who waits for the steps, and does the late ones, is never idle"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has this policy")
def test_a_step_that_gets_stuck_at_idle_priority_is_done_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    idle: list[int] = []
    monkeypatch.setattr(os, "sched_setscheduler", lambda *policy: idle.append(threading.get_native_id()))
    monkeypatch.setattr(worker, "PROBE_SECONDS", 60.0)
    monkeypatch.setattr(worker, "IDLE_SECONDS", 0.05)
    stuck, found = threading.Event(), []

    def step() -> str:
        if threading.get_native_id() in idle:
            stuck.wait()
            return "late"
        return "done"

    def take_steps() -> None:
        steps = worker._Steps()
        found.append(steps.perform(step))

    thread = threading.Thread(target=take_steps)  # its priority is lost
    thread.start()
    thread.join()
    stuck.set()
    assert idle, "it was begun there"
    assert found == ["done"]
