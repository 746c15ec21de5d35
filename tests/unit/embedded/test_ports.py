import socket
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

from arena.embedded.errors import StartError
from arena.embedded.ports import address, claim_port, free_port, listens, local, serves_pages

LOOPBACK = "127.0.0.1"


class Pages(BaseHTTPRequestHandler):
    """Well at /healthz as long as the server's `status` says so."""

    status = 200

    def do_GET(self) -> None:
        self.send_response(self.status if self.path == "/healthz" else 404)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def pages() -> Iterator[int]:
    """The port of a small web server."""
    with HTTPServer((LOOPBACK, 0), Pages) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def test_a_free_port_is_claimed_and_still_free() -> None:
    port = free_port()
    assert claim_port(LOOPBACK, port) == port
    assert not listens(port)


def test_port_0_claims_one() -> None:
    assert claim_port(LOOPBACK, 0) > 0


def test_a_taken_port_is_told(pages: int) -> None:
    line = rf"cannot listen on {LOOPBACK} port {pages} \(Address already in use\); .* with --port"
    assert listens(pages)
    with pytest.raises(StartError, match=line):
        claim_port(LOOPBACK, pages)


def test_a_host_that_is_not_here_is_told() -> None:
    with pytest.raises(StartError, match=r"cannot listen on 192\.0\.2\.1 port 8052 .* --host"):
        claim_port("192.0.2.1", 8052)


def test_a_host_that_is_no_address_is_told() -> None:
    with pytest.raises(StartError, match=r"cannot listen on no\.\.host port 8052 .* --host"):
        claim_port("no..host", 8052)


def test_pages_are_served_where_the_server_says_that_it_is_well(
    pages: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert serves_pages(LOOPBACK, pages)
    monkeypatch.setattr(Pages, "status", 503)
    assert not serves_pages(LOOPBACK, pages)


def test_no_pages_are_served_where_nothing_or_something_else_listens() -> None:
    assert not serves_pages(LOOPBACK, free_port())
    with socket.create_server((LOOPBACK, 0)) as silent:
        silent.listen()
        port = silent.getsockname()[1]
        thread = Thread(target=lambda: silent.accept()[0].close())
        thread.start()
        assert not serves_pages(LOOPBACK, port)
        thread.join()


@pytest.mark.parametrize(
    ("host", "shown"),
    [
        ("127.0.0.1", "http://127.0.0.1:8052/"),
        ("0.0.0.0", "http://127.0.0.1:8052/"),  # noqa: S104 - only text here
        ("::", "http://[::1]:8052/"),
        ("arena.local", "http://arena.local:8052/"),
    ],
)
def test_the_address_is_one_that_a_browser_here_can_open(host: str, shown: str) -> None:
    assert address(host, 8052) == shown
    assert local(host) in shown
