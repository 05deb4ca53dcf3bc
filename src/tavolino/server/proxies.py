"""The proxies that the operator trusts: what they say of a client's address counts in every limit, and their
connections are those of many people.

uvicorn reads `X-Forwarded-For` and decides by the same class and the same setting whether it counts.
"""

from __future__ import annotations

from ipaddress import ip_network

from uvicorn.middleware.proxy_headers import _TrustedHosts

from tavolino.server.settings import ServerSettings
from tavolino.server.subscribers import parsed_address

ANYBODY = "*"
LOOPBACK = "127.0.0.0/8,::1"


class TrustedProxies:
    def __init__(self, settings: ServerSettings) -> None:
        self.hosts = LOOPBACK if settings.trusted_proxies is None else settings.trusted_proxies
        # If the operator has named no proxy, what connects from this machine may be a person as well.
        self._are_named = settings.trusted_proxies is not None or settings.public_url is not None
        self._trusted = _TrustedHosts(self.hosts)

    def brings_many(self, address: str) -> bool:
        """Whether connections from this address are those of many people."""
        return self._are_named and str(parsed_address(address) or address) in self._trusted


def check_trusted_proxies(hosts: str) -> str | None:
    """What is wrong with a list of proxies. uvicorn ignores what it cannot read, and limits would apply to all visitors
    together."""
    for host in (each.strip() for each in hosts.split(",")):
        if host in ("", ANYBODY) and host == hosts.strip():
            continue
        try:
            ip_network(host)
        except ValueError:
            return f"{host!r} is neither an address (10.0.0.5) nor a network (10.0.0.0/24)"
    return None
