"""What counts as one address in every limit: for IPv6 the first 64 bits, which belong to one subscriber. Otherwise a
subscriber could use another address for each request."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

SUBSCRIBERS_BITS = 64


@lru_cache(20_000)
def subscriber(address: str) -> str:
    parsed = parsed_address(address)
    if isinstance(parsed, IPv6Address):
        return str(IPv6Network((parsed, SUBSCRIBERS_BITS), strict=False))
    return address if parsed is None else str(parsed)


def parsed_address(address: str) -> IPv4Address | IPv6Address | None:
    """None for what is no address, such as the name of a socket's file. An IPv4 address inside an IPv6 one is IPv4."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return None
    return getattr(parsed, "ipv4_mapped", None) or parsed
