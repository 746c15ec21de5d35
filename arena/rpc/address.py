"""Addresses of bots: what may be dialled, and how it is written for gRPC.

A gRPC target is no host and port: ``unix:``, ``dns://``, ``xds:`` and lists of addresses are all
honoured. So no text of a user ever becomes one; targets are built here, from a literal address.
"""

import asyncio
import ipaddress
import socket


def target(host: str, port: int) -> str:
    """Return the gRPC target of a literal IP address, ``ipv4:127.0.0.1:7000``.

    Raises:
        ValueError: the host is no IP address in canonical form, or the port is out of range.
    """
    address = _literal(host)
    if not 1 <= port <= 65535:
        raise ValueError(f"port {port} is out of range; it may be 1 to 65535")
    shown = f"[{address}]" if address.version == 6 else str(address)
    return f"ipv{address.version}:{shown}:{port}"


def is_loopback(host: str) -> bool:
    """Whether a literal IP address is this machine's own loopback.

    Raises:
        ValueError: the host is no IP address in canonical form.
    """
    return _literal(host).is_loopback


async def resolve(name: str, port: int, *, limit: float = 3.0) -> str:
    """Return one IP address of a host, literal or name, looked up once; IPv4 where it has one.

    The zone of a link-local address is dropped: such a bot is found unreachable.

    Args:
        name: a host name or an IP address.
        port: the port to be dialled.
        limit: seconds to wait for the answer.

    Raises:
        OSError: the name is none, has no address, or no answer came in time.
    """
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(limit):
            found = await loop.getaddrinfo(name, port, type=socket.SOCK_STREAM)
    except UnicodeError:
        raise OSError(f"{name[:100]!r} is no host name") from None
    *_, place = min(found, key=lambda entry: entry[0] != socket.AF_INET)
    return str(ipaddress.ip_address(str(place[0]).partition("%")[0]))


def _literal(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        raise ValueError(f"{host[:100]!r} is no IP address") from None
    if str(address) != host or getattr(address, "scope_id", None):
        raise ValueError(f"{host!r} is no canonical IP address; write {address}")
    return address
