"""A port that nobody listens on, for a server of a test's own."""

import contextlib
import random
import socket


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def lasting_port() -> int:
    """A port below those of outgoing connections, for a server that is stopped and started again. A client that tries
    to connect meanwhile could otherwise get this very port, connect to itself, and block it."""
    while True:
        port = random.randrange(15_000, 30_000)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
