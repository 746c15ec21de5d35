"""Targets are built from literal addresses only; no user's text becomes one."""

import asyncio
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rpc.address import is_loopback, resolve, target
from arena.rpc.client import GrpcPlayer


def test_targets_name_family_address_and_port() -> None:
    assert target("127.0.0.1", 7000) == "ipv4:127.0.0.1:7000"
    assert target("::1", 65535) == "ipv6:[::1]:65535"


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "2130706433",
        "0x7f.1",
        "0177.0.0.1",
        "127.1",
        "127.0.0.1.",
        "127.0.0.1\uff11",
        "\uff11\uff12\uff17.0.0.1",
        "user@127.0.0.1",
        "unix:/tmp/x",
        "dns://127.0.0.1/host",
        "xds:///x",
        "127.0.0.1,127.0.0.2",
        "vsock:1:2",
        "[::1]",
        "::0001",
        "::A",
        "fe80::1%eth0",
        "",
        " 127.0.0.1",
    ],
)
def test_everything_but_a_canonical_address_is_refused(host: str) -> None:
    with pytest.raises(ValueError, match="IP address"):
        target(host, 7000)
    with pytest.raises(ValueError, match="IP address"):
        GrpcPlayer(host, 7000)


@pytest.mark.parametrize("port", [0, -1, 65536])
def test_ports_out_of_range_are_refused(port: int) -> None:
    with pytest.raises(ValueError, match=r"port .* is out of range"):
        target("127.0.0.1", port)


@given(st.text("0127.:[]/,%@afxdnsiuv", max_size=24), st.integers(1, 65535))
def test_no_text_makes_another_kind_of_target(host: str, port: int) -> None:
    try:
        result = target(host, port)
    except ValueError:
        return
    assert re.fullmatch(r"ipv4:[0-9.]+:[0-9]+|ipv6:\[[0-9a-f:.]+\]:[0-9]+", result)


@pytest.mark.parametrize(("host", "own"), [("127.0.0.9", True), ("::1", True), ("10.0.0.1", False)])
def test_loopback_is_told_from_elsewhere(host: str, own: bool) -> None:
    assert is_loopback(host) == own


def test_a_bot_elsewhere_needs_a_key() -> None:
    with pytest.raises(ValueError, match="needs a key"):
        GrpcPlayer("10.0.0.1", 7000)
    GrpcPlayer("10.0.0.1", 7000, key=b"secret")


def test_literals_resolve_to_themselves() -> None:
    assert asyncio.run(resolve("127.0.0.1", 7000)) == "127.0.0.1"
    assert asyncio.run(resolve("::1", 7000)) == "::1"
    assert asyncio.run(resolve("fe80::1%1", 7000)) == "fe80::1"


def test_a_name_is_resolved_to_ipv4_where_it_has_one() -> None:
    assert asyncio.run(resolve("localhost", 7000)) == "127.0.0.1"


@pytest.mark.parametrize("name", ["a..b", "x" * 70 + ".test", "\ud800"])
def test_what_is_no_host_name_is_an_os_error(name: str) -> None:
    with pytest.raises(OSError, match=r".+"):
        asyncio.run(resolve(name, 7000))
