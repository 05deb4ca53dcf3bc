"""Work on a Ray cluster. A task that is lost with its worker or its machine runs again, so tasks must be pure functions
of their arguments."""

import os
import secrets
import socket
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from tavolino.engine.extras import require

Answer = TypeVar("Answer")
LOCAL = "local"  # in place of an address: a cluster that is started here and ends with the work
CONNECT_SECONDS = 10.0
TRIES = 20  # of one task; a cluster that loses its workers so often is broken


class ClusterFailed(Exception):
    """The cluster cannot be reached, or cannot do the work; the message says why in one sentence."""


@contextmanager
def ray_session(address: str | None) -> Iterator[None]:
    """A connection to a cluster; None: no connection. An existing connection of the caller is used."""
    if address is None:
        yield
        return
    require("ray", "ray")
    import ray

    if ray.is_initialized():
        yield
        return
    _check_reachable(address)
    where = {} if address == LOCAL else {"address": address}
    with _token_for(address):
        try:
            ray.init(include_dashboard=False, log_to_driver=False, configure_logging=False, **where)
        except (ConnectionError, ValueError, RuntimeError, OSError) as error:
            raise ClusterFailed(f"The Ray cluster {address} cannot be reached: {_first_line(error)}") from None
        try:
            yield
        finally:
            ray.shutdown()


@contextmanager
def ray_tasks(address: str, work: Callable[..., Answer]) -> Iterator[tuple[Callable[..., "Future[Answer]"], int]]:
    """A function that submits a call of `work` to the cluster, and the number of the cluster's processors."""
    with ray_session(address):
        import ray

        remote = ray.remote(max_retries=TRIES)(work)

        def submit(*arguments: Any) -> "Future[Answer]":
            future: Future[Answer] = remote.remote(*arguments).future()
            return future

        try:
            yield submit, max(1, int(ray.cluster_resources().get("CPU", 1)))
        except ray.exceptions.RayError as error:
            raise ClusterFailed(f"The Ray cluster {address} cannot do this: {_first_line(error)}") from None


def _check_reachable(address: str) -> None:
    """Ray itself would try for minutes, and then end the process."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdigit():  # `auto`, `local`
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), CONNECT_SECONDS).close()
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise ClusterFailed(f"The Ray cluster {address} cannot be reached: {why}.") from None


def _first_line(error: Exception) -> str:
    """The cause of a task's error, which Ray writes last."""
    cause = getattr(error, "cause", None)
    if cause is not None:
        return f"{type(cause).__name__}: {cause}"
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


@contextmanager
def _token_for(address: str) -> Iterator[None]:
    """A cluster that we start gets a token of its own; otherwise Ray would leave one in the home directory."""
    if address != LOCAL or "RAY_AUTH_TOKEN_PATH" in os.environ or "RAY_AUTH_TOKEN" in os.environ:
        yield
        return
    with tempfile.TemporaryDirectory(prefix="tavolino-ray-") as folder:
        token = Path(folder) / "token"
        token.touch(mode=0o600)
        token.write_text(secrets.token_hex(32))
        os.environ["RAY_AUTH_TOKEN_PATH"] = str(token)
        try:
            yield
        finally:
            del os.environ["RAY_AUTH_TOKEN_PATH"]
