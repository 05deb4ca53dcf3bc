"""The server's clock: which time counts for deadlines and ages, and which does not."""

from __future__ import annotations

import pytest

from tavolino.server.clock import LARGEST_STEP, LONGEST_GAP, STEADY_SECONDS, TICK_SECONDS, Clock, Moment

DAY = 86_400.0


class Machine:
    """A machine's two clocks, and the server's clock that reads them."""

    def __init__(self, last: Moment | None = None, wall: float = 1_000_000.0) -> None:
        self.wall, self.monotonic = wall, 5_000.0
        self.clock = Clock(lambda: self.wall, lambda: self.monotonic)
        self.clock.resume_from(last)

    def run(self, seconds: float) -> None:
        for _ in range(int(seconds / TICK_SECONDS)):
            self.wall += TICK_SECONDS
            self.monotonic += TICK_SECONDS
            self.clock.tick()

    def stop_process(self, seconds: float) -> None:
        self.wall += seconds
        self.monotonic += seconds

    def suspend(self, seconds: float) -> None:
        self.wall += seconds  # the monotonic clock stops on a suspended machine


def test_uptime_goes_on_in_the_next_run_and_leaves_out_the_time_between() -> None:
    first = Machine()
    first.run(100)
    last = first.clock.now()
    assert last.up == pytest.approx(100)
    second = Machine(last, wall=last.wall + 3_600)
    assert second.clock.up() == pytest.approx(100)
    second.run(10)
    assert second.clock.up() == pytest.approx(110)


@pytest.mark.parametrize("seconds", [-3_600, 3_600, 400 * DAY, -400 * DAY])
def test_threat_40_no_jump_of_the_wall_clock_moves_deadlines_or_ages(seconds: float) -> None:
    machine = Machine()
    machine.run(50)
    machine.wall += seconds
    machine.run(40)
    assert machine.clock.up() == pytest.approx(90)
    assert machine.clock.witnessed() == pytest.approx(90), "while it is wrong, too"
    machine.wall -= seconds
    machine.run(2 * STEADY_SECONDS)
    passed = 90 + 2 * STEADY_SECONDS
    assert machine.clock.up() == pytest.approx(passed)
    assert machine.clock.witnessed() == pytest.approx(passed)


def test_threat_40_a_clock_that_jumps_again_and_again_is_not_believed() -> None:
    machine = Machine()
    for _ in range(3):
        machine.wall += 3_600
        machine.run(STEADY_SECONDS - 10)
    assert machine.clock.witnessed() == pytest.approx(3 * (STEADY_SECONDS - 10))


def test_threat_40_a_stopped_process_moves_no_deadline() -> None:
    machine = Machine()
    machine.run(10)
    machine.stop_process(90)
    assert machine.clock.up() <= 10 + LONGEST_GAP
    machine.run(10)
    assert machine.clock.up() == pytest.approx(20, abs=LONGEST_GAP)


def test_threat_40_the_first_look_after_a_pause_already_knows_of_it() -> None:
    """A table's timer may expire before the loop has ticked again."""
    machine = Machine()
    machine.run(10)
    machine.stop_process(90)
    assert machine.clock.now().up <= 10 + LONGEST_GAP


def test_time_without_a_server_counts_for_ages_once_the_wall_clock_has_proved_steady() -> None:
    machine = Machine(Moment(1_000_000.0, 100.0, 150.0), wall=1_000_000.0 + 3_600)
    assert machine.clock.witnessed() == pytest.approx(150)
    machine.run(STEADY_SECONDS - 10)
    assert machine.clock.witnessed() == pytest.approx(150 + STEADY_SECONDS - 10)
    machine.run(20)
    assert machine.clock.witnessed() == pytest.approx(150 + STEADY_SECONDS + 10 + 3_600)
    assert machine.clock.up() == pytest.approx(100 + STEADY_SECONDS + 10)


@pytest.mark.parametrize(("away", "counted"), [(400 * DAY, LARGEST_STEP), (-400 * DAY, 0.0), (7_200.0, 7_200.0)])
def test_threat_40_a_start_far_ahead_or_before_the_last_moment_counts_half_a_day_at_most(
    away: float, counted: float
) -> None:
    machine = Machine(Moment(1e9, 0.0, 0.0), wall=1e9 + away)
    machine.run(5 * STEADY_SECONDS)
    assert machine.clock.witnessed() == pytest.approx(5 * STEADY_SECONDS + counted)


def test_a_machine_that_sleeps_ages_like_one_on_which_no_server_runs() -> None:
    machine = Machine()
    machine.run(10)
    machine.suspend(7 * 3_600)
    machine.run(2 * STEADY_SECONDS)
    assert machine.clock.up() == pytest.approx(10 + 2 * STEADY_SECONDS)
    assert machine.clock.witnessed() == pytest.approx(10 + 2 * STEADY_SECONDS + 7 * 3_600)


def test_small_corrections_are_no_jumps() -> None:
    machine = Machine()
    for _ in range(100):
        machine.run(10)
        machine.wall += 0.5
    assert machine.clock.witnessed() == pytest.approx(1_000)
