"""The lab on a Ray cluster of two nodes: the same figures as on one machine, also if a node is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tavolino.cli.commands import run
from tavolino.lab import executors, ray_cluster
from tavolino.lab import simulate as simulation
from tavolino.lab.arena import arena
from tavolino.lab.balance import Question, balance
from tavolino.lab.matches import Plan
from tavolino.lab.simulate import simulate

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600), pytest.mark.filterwarnings("ignore")]  # Ray's own warnings


class TwoNodes:
    """A head and a second node, each with a processor. Every machine of a real cluster would be such a node."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster

        self._cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
        self._second = self._cluster.add_node(num_cpus=1)
        self.address: str = self._cluster.address

    def lose_a_node(self) -> None:
        """Stop a node at once with all its workers, as in a power failure."""
        self._cluster.remove_node(self._second, allow_graceful=False)
        self._second = self._cluster.add_node(num_cpus=1)

    def close(self) -> None:
        self._cluster.shutdown()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TwoNodes]:
    pytest.importorskip("ray")
    token = tmp_path_factory.mktemp("ray") / "token"
    token.write_text("0" * 64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_AUTH_TOKEN_PATH", str(token))
        patch.setenv("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
        patch.setenv("RAY_worker_niceness", "0")  # else all that runs beside the tests comes before them
        nodes = TwoNodes()
        yield nodes
        nodes.close()


class Killer:
    """Kills a node once, after a third of the work."""

    def __init__(self, total: int, kill: Callable[[], object]) -> None:
        self._after, self._kill = total / 3, kill
        self.has_killed = False

    def __call__(self, done: int) -> None:
        if done >= self._after and not self.has_killed:
            self.has_killed = True
            self._kill()


def same(near: dict[str, Any], far: dict[str, Any]) -> bool:
    """Whether the figures are the same, but for the time that it took."""
    return {**near, "seconds": 0} == {**far, "seconds": 0}


def test_the_arena_with_a_node_lost(cluster: TwoNodes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "LARGEST_CHUNK", 5)
    plan = Plan("mantis", 2, ("medium", "random"), 60, "ray")
    killer = Killer(plan.deals, cluster.lose_a_node)
    far = arena(plan, ray=cluster.address, progress=killer)
    assert killer.has_killed
    assert same(arena(plan), far)


def test_simulate_with_a_node_lost(cluster: TwoNodes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "LARGEST_CHUNK", 100)
    plan = simulation.Plan("mantis", 3, 2_000, "ray")
    killer = Killer(plan.games, cluster.lose_a_node)
    far = simulate(plan, killer, ray=cluster.address)
    assert killer.has_killed
    assert same(simulate(plan), far)


def test_balance_with_a_node_lost(cluster: TwoNodes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "LARGEST_CHUNK", 20)
    question = Question("mantis", "medium", (2, 3), 60, "ray", vary=("icons", (False,)))
    killer = Killer(60, cluster.lose_a_node)
    far = balance(question, ray=cluster.address, progress=killer)
    assert killer.has_killed
    assert same(balance(question), far)


def test_the_commands_play_on_a_cluster(cluster: TwoNodes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small = {"arena": ["--games", "4", "--bots", "random"], "balance": ["--games", "4"], "simulate": ["--games", "9"]}
    for command, words in small.items():
        assert run([command, "mantis", "--players", "2", *words, "--ray", cluster.address]) == 0, command
    capsys.readouterr()


def test_what_a_task_cannot_do_is_told(cluster: TwoNodes) -> None:
    def divide(number: int) -> float:
        return 1 / number

    with (
        pytest.raises(ray_cluster.ClusterFailed, match="cannot do this: ZeroDivisionError"),
        ray_cluster.ray_tasks(cluster.address, divide) as (submit, _),
    ):
        submit(0).result()


@pytest.mark.parametrize("command", ["arena", "balance", "simulate"])
def test_a_cluster_that_is_not_there_is_told_in_a_sentence(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("ray")
    assert run([command, "mantis", "--players", "2", "--ray", "127.0.0.1:1"]) == 1
    assert "The Ray cluster 127.0.0.1:1 cannot be reached" in capsys.readouterr().err
