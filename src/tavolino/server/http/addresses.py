"""The addresses at which others can reach this server, for the link and the QR code of an invitation."""

from __future__ import annotations

import contextlib
import socket
import struct
from ipaddress import ip_address

from starlette.requests import Request
from starlette.responses import Response

from tavolino.server import access
from tavolino.server import protocol as p
from tavolino.server.settings import ServerSettings

SIOCGIFADDR = 0x8915  # Linux: the IPv4 address of a network interface
ANY = ("0.0.0.0", "::", "")
OUTSIDE = ("192.0.2.1", 9)  # reserved for documentation; a datagram socket that is only connected sends nothing


async def get_addresses(request: Request) -> Response:
    """Where other devices find this server. Addresses of the local network are shown only within it."""
    settings = access.registry_of(request).context.settings
    is_near = access.is_private(request)
    urls = urls_of(settings) if settings.public_url or is_near else []
    return access.answer(p.Addresses(urls, only_here=is_near and not urls))


def urls_of(settings: ServerSettings) -> list[str]:
    """The addresses to give to others, the likeliest first; none if only this machine can connect."""
    if settings.public_url:
        return [settings.public_url.rstrip("/")]
    hosts = local_addresses() if settings.host in ANY else [settings.host]
    return [_url(host, settings.port) for host in hosts if not _is_loopback(host)]


def local_addresses() -> list[str]:
    """The IPv4 addresses of this machine on its networks, the one that leads outside first."""
    found = []
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(OUTSIDE)
        found.append(str(probe.getsockname()[0]))
    with contextlib.suppress(OSError, ImportError, AttributeError):
        found += _of_interfaces()
    return [host for host in dict.fromkeys(found) if not ip_address(host).is_unspecified and not _is_loopback(host)]


def _of_interfaces() -> list[str]:
    import fcntl  # not on Windows

    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        for _, name in socket.if_nameindex():
            with contextlib.suppress(OSError):  # an interface without an IPv4 address
                request = struct.pack("256s", name.encode()[:15])
                found.append(socket.inet_ntoa(fcntl.ioctl(any_socket.fileno(), SIOCGIFADDR, request)[20:24]))
    return found


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _url(host: str, port: int) -> str:
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}" if port == 80 else f"http://{name}:{port}"
