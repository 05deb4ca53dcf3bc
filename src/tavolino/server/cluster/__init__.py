"""Several servers ("nodes") on one database: heartbeats, leases of tables, the bus (decision 052).

The rest of the server uses them through `server/peers.py`. A server alone uses nothing of this package.
"""

from __future__ import annotations

from tavolino.server.cluster.bus import make_bus
from tavolino.server.cluster.cooperation import Cluster
from tavolino.server.cluster.other_nodes import OtherNodes
from tavolino.server.peers import Peers
from tavolino.server.storage.nodes import Nodes
from tavolino.server.tables.registry import Registry


def make_peers(nodes: Nodes | None, bus: str | None) -> Peers:
    """`nodes`: of the storage, None if one server uses it alone. `bus`: the URL of a Redis server, if there is one."""
    return Peers() if nodes is None else OtherNodes(make_bus(bus), nodes)


def make_cluster(registry: Registry) -> Cluster | None:
    """The cooperation of this node with the others; None for a server alone."""
    others = registry.context.others
    return Cluster(registry, others) if isinstance(others, OtherNodes) else None
