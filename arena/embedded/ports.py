"""Ports of this machine: free ones, taken ones, and who answers on them."""

import contextlib
import errno
import socket
from http.client import HTTPConnection, HTTPException

from arena.embedded.errors import StartError


def free_port() -> int:
    """Return a loopback port that nothing listens on now."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def claim_port(host: str, port: int) -> int:
    """Return the port, or a free one for 0, after checking that a server may listen on it.

    Raises:
        StartError: it is taken, or not ours to take.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.create_server((host, port), family=family) as probe:
            return int(probe.getsockname()[1])
    except OSError as error:
        raise StartError(f"the dashboard {not_listening(host, port, error)}") from error


def not_listening(host: str, port: int, error: OSError) -> str:
    """Say why a server cannot listen, and whether another port or another host would do."""
    reason = (error.strerror or str(error)).partition(" (")[0]
    advice = "choose one of this machine's addresses with --host, as 127.0.0.1"
    if error.errno == errno.EADDRINUSE:
        advice = "stop what listens there, or choose another port with --port"
    elif error.errno == errno.EACCES:
        advice = "choose another port with --port"
    return f"cannot listen on {host} port {port} ({reason}); {advice}"


def listens(port: int) -> bool:
    """Return whether something takes connections on this loopback port."""
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


def serves_pages(host: str, port: int) -> bool:
    """Return whether a web server there says that it is well."""
    connection = HTTPConnection(local(host), port, timeout=2)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def address(host: str, port: int) -> str:
    """Return the address for a browser on this machine."""
    name = local(host)
    return f"http://[{name}]:{port}/" if ":" in name else f"http://{name}:{port}/"


def local(host: str) -> str:
    """Return the host to connect to for one to listen on: loopback for "all addresses"."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - not bound here
