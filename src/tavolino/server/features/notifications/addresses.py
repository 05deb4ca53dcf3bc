"""Which addresses the server may call. People give the addresses, so they must not reach into the server's own network.

An address must be on the operator's list, and its name must resolve to public addresses alone. The connection then goes
to one of those, not to what the name resolves to a moment later (DNS rebinding).
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import NamedTuple
from urllib.parse import urlsplit

LONGEST_URL = 1_000
NAT64 = ip_network("64:ff9b::/96")  # a gateway connects to the IPv4 address in the last 32 bits
UNICAST = ip_network("2000::/3")  # all public addresses of IPv6; what `ipaddress` knows differs between versions


class Forbidden(Exception):
    """An address that this server does not call."""


class Target(NamedTuple):
    scheme: str
    host: str
    port: int
    path: str
    is_own: bool  # the operator's list names exactly this origin: then it may be private, and without TLS

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.host}"


class AllowedAddresses:
    """The operator's list: `name`, `*.name` for https on port 443, or a whole origin such as `http://10.0.0.5:8065`."""

    def __init__(self, allowed: Sequence[str]) -> None:
        self._names = {each.lower() for each in allowed if "://" not in each}
        self._origins = {each.lower().rstrip("/") for each in allowed if "://" in each}

    def check(self, url: str) -> Target:
        """The parts of an address that may be called, before any name is resolved."""
        try:
            parts = urlsplit(url)
            host, port = (parts.hostname or "").lower(), parts.port
        except ValueError:
            raise Forbidden("this is not an address") from None
        if (
            len(url) > LONGEST_URL
            or not url.isascii()
            or any(mark in url for mark in " \r\n\t\\")
            or "@" in parts.netloc
        ):
            raise Forbidden("this is not an address")
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        if f"{parts.scheme}://{parts.netloc}".lower() in self._origins:
            return Target(parts.scheme, host, port or (443 if parts.scheme == "https" else 80), path, True)
        if parts.scheme != "https" or port not in (None, 443) or not self._has_name(host):
            raise Forbidden("the operator of this server has not allowed this address")
        return Target("https", host, 443, path, False)

    def _has_name(self, host: str) -> bool:
        suffixes = {f"*.{host.split('.', n)[-1]}" for n in range(1, host.count(".") + 1)}
        return host in self._names or bool(suffixes & self._names)


async def resolve(target: Target) -> str:
    """An address to connect to. Every one that the name has must be public, unless the operator named the origin."""
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except OSError:
        raise Forbidden("there is no such host") from None
    addresses = [str(each[4][0]) for each in found]
    if not addresses:
        raise Forbidden("there is no such host")
    if not target.is_own and not all(_is_public(each) for each in addresses):
        raise Forbidden("the name resolves to a private address")
    return addresses[0]


def _is_public(text: str) -> bool:
    address = ip_address(text.split("%")[0])
    if isinstance(address, IPv6Address):
        held = _ipv4_in(address)
        if held is None and address not in UNICAST:
            return False
        address = held or address
    return address.is_global and not address.is_multicast


def _ipv4_in(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address to which a connection would lead."""
    if address in NAT64:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address.ipv4_mapped or address.sixtofour
