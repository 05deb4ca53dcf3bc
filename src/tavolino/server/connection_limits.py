"""How many TCP connections are accepted, in all and from one address, before any of them has sent a byte.

Descriptors are the scarce thing: where none is left, nothing can be opened, accepted or started any more. So some are
kept back for the storage, the page's files and the processes that compile, and connections share the rest.
"""

from __future__ import annotations

import resource
from collections import Counter, OrderedDict
from collections.abc import Callable

from tavolino.server.proxies import TrustedProxies
from tavolino.server.rate_limit import Bucket
from tavolino.server.settings import ServerSettings
from tavolino.server.subscribers import subscriber

WANTED_DESCRIPTORS = 65_536
RESERVED_DESCRIPTORS = 128  # SQLite has 5, a child process that compiles 5 while it starts, loading a game up to 20
FEWEST_CONNECTIONS = 16
MOST_BUCKETS = 20_000


def raise_descriptor_limit() -> None:
    """Raise the limit of descriptors above the usual 1,024, as far as the system allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, WANTED_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def room_for_connections() -> int:
    """Connections that leave the reserved descriptors free."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    descriptors = WANTED_DESCRIPTORS if soft == resource.RLIM_INFINITY else soft
    return max(FEWEST_CONNECTIONS, descriptors - RESERVED_DESCRIPTORS)


class Admission:
    """One accepted connection, until it is released."""

    __slots__ = ("_limits", "_network")

    def __init__(self, limits: ConnectionLimits, network: str | None) -> None:
        self._limits: ConnectionLimits | None = limits
        self._network = network

    def note(self, reason: str) -> None:
        """Note why this connection is closed."""
        if self._limits is not None:
            self._limits.note(reason)

    def release(self) -> None:
        if self._limits is not None:
            limits, self._limits = self._limits, None
            limits.release(self._network)


class ConnectionLimits:
    """Counts the connections of one server."""

    def __init__(self, settings: ServerSettings, now: Callable[[], float]) -> None:
        limits = settings.limits
        self._now = now
        self._rate, self._burst = limits.connections_per_second, limits.connections_burst
        self.most = min(limits.connections, room_for_connections())
        self.most_from_one = min(limits.connections_per_address, self.most - self.most // 4)  # room for others
        self._proxies = TrustedProxies(settings)
        self._from: Counter[str] = Counter()
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()
        self.open = 0
        self.refused: Counter[str] = Counter()  # by reason, for the metrics

    def admit(self, address: str) -> Admission | None:
        """A place for a connection from this address; None if there is none."""
        network = self._network(address)
        reason = self._why_not(network)
        if reason is not None:
            self.note(reason)
            return None
        if network is not None:
            self._from[network] += 1
        self.open += 1
        return Admission(self, network)

    def _why_not(self, network: str | None) -> str | None:
        if self.open >= self.most:
            return "too-many"
        if network is None:
            return None
        if self._from[network] >= self.most_from_one:
            return "too-many-from-one-address"
        return None if self._bucket(network).take() else "too-fast"

    def release(self, network: str | None) -> None:
        self.open -= 1
        if network is not None:
            self._from[network] -= 1
            if not self._from[network]:
                del self._from[network]  # otherwise the dict would grow with every address

    def note(self, reason: str) -> None:
        """Count a connection that is refused or closed."""
        self.refused[reason] += 1

    def _bucket(self, network: str) -> Bucket:
        bucket = self._buckets.get(network)
        if bucket is None:
            bucket = self._buckets[network] = Bucket(self._rate, self._burst, self._now)
            if len(self._buckets) > MOST_BUCKETS:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(network)
        return bucket

    def _network(self, address: str) -> str | None:
        """The network that counts as one address; None for a proxy, whose clients are unknown here."""
        return None if self._proxies.brings_many(address) else subscriber(address)
