"""Identities and addresses that an operator has banned for a time (`tavolino admin ban`)."""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

from tavolino.server.errors import Refused


class Bans:
    """In memory; `tables/orders.py` fills it from the storage. Ends of bans are in witnessed time (decision 040)."""

    def __init__(self, witnessed: Callable[[], float]) -> None:
        self._witnessed = witnessed
        self._people: dict[str, float] = {}
        self._networks: dict[IPv4Network | IPv6Network, float] = {}

    def add(self, target: str, until: float) -> None:
        """Ban a person id, an address or a network until a moment."""
        if (network := network_of(target)) is None:
            self._people[target] = until
        else:
            self._networks[network] = until

    def lift(self, target: str) -> None:
        if (network := network_of(target)) is None:
            self._people.pop(target, None)
        else:
            self._networks.pop(network, None)

    def check_person(self, person: str) -> None:
        if (until := self._people.get(person)) is not None:
            if until > self._witnessed():
                raise Refused("banned")
            del self._people[person]

    def check_address(self, address: str) -> None:
        if self._networks and self._is_banned(address):  # usually there are no bans
            raise Refused("banned")

    def _is_banned(self, address: str) -> bool:
        try:
            asking = ip_address(address)
        except ValueError:
            return False
        asking = getattr(asking, "ipv4_mapped", None) or asking
        now = self._witnessed()
        for network in [network for network, until in self._networks.items() if until <= now]:
            del self._networks[network]
        return any(asking in network for network in self._networks)


def network_of(target: str) -> IPv4Network | IPv6Network | None:
    """An address or a network (`192.0.2.7`, `2001:db8::/48`); None for anything else, such as a person's id."""
    try:
        return ip_network(target, strict=False)
    except ValueError:
        return None
