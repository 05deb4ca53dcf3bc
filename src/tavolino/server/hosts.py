"""For which names in the Host header this server answers.

A page of another site can have its own name resolve to this machine (DNS rebinding). Its requests then count as
same-origin for the browser, and only the Host header shows that they were meant for somebody else.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Sequence
from ipaddress import ip_address
from urllib.parse import urlsplit

from tavolino.server.errors import Refused
from tavolino.server.settings import ServerSettings

# Suffixes that routers give to the machines of a network, and that nobody can register.
PRIVATE_ENDINGS = (".local", ".lan", ".home.arpa", ".internal", ".localdomain")
HOST = re.compile(r"(?P<name>\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(:\d{1,5})?")


class AllowedHosts:
    """The names of this machine, that of the public address, and those that the operator allows.

    Every IP address is allowed: nobody can make a browser send one for a page that did not come from that address.
    """

    def __init__(self, settings: ServerSettings) -> None:
        own = socket.gethostname().lower()
        names = {"localhost", own, settings.host.lower(), *(own + ending for ending in PRIVATE_ENDINGS)}
        names |= {_without_port(name) for name in settings.allow_hosts}
        if settings.public_url is not None:
            names.add(urlsplit(settings.public_url).hostname or "")
        self._names = names - {""}

    def check(self, hosts: Sequence[str], http_version: str) -> None:
        """Refuse a request by the values of its Host headers; HTTP/1.0 needs none."""
        if not hosts and http_version == "1.0":
            return
        if len(hosts) != 1 or not self._is_allowed(hosts[0]):
            raise Refused("wrong-host")

    def _is_allowed(self, host: str) -> bool:
        found = HOST.fullmatch(host)
        if found is None:
            return False
        name = found["name"].lower().rstrip(".")
        return name in self._names or name.endswith(".localhost") or _is_address(name.strip("[]"))


def _without_port(host: str) -> str:
    found = HOST.fullmatch(host.strip())
    return found["name"].lower().rstrip(".") if found else host.strip().lower()


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
