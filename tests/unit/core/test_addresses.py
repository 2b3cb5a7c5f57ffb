"""Which addresses outgoing HTTP may reach."""

import socket
from ipaddress import ip_address

import pytest

from soni.core.addresses import AddressPolicy, AddressRefused

PRIVATE = [
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "169.254.169.254",
    "172.16.0.1",
    "192.168.1.1",
    "198.18.0.1",
    "224.1.1.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "2002:7f00:1::",
    "64:ff9b::10.0.0.1",
    "64:ff9b:1::10.0.0.1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fec0::1",
    "ff02::1",
]
PUBLIC = ["8.8.8.8", "::ffff:8.8.8.8", "2606:4700::1111", "64:ff9b::8.8.8.8"]


@pytest.mark.parametrize("address", PRIVATE)
def test_machines_of_ones_own_are_not_reached(address: str) -> None:
    assert not AddressPolicy().allows(ip_address(address))


@pytest.mark.parametrize("address", PUBLIC)
def test_machines_of_the_internet_are_reached(address: str) -> None:
    assert AddressPolicy().allows(ip_address(address))


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "::1"])
def test_loopback_is_refused_however_it_is_written(host: str) -> None:
    with pytest.raises(AddressRefused, match="private address"):
        AddressPolicy().resolve(host, 80)


@pytest.mark.parametrize("entry", ["127.0.0.0/8", "127.0.0.1", "LocalHost", "localhost."])
def test_what_the_settings_allow_is_reached(entry: str) -> None:
    assert "127.0.0.1" in AddressPolicy.read([entry]).resolve("localhost", 80)


def test_an_allowed_network_of_ipv4_covers_its_addresses_inside_ipv6() -> None:
    policy = AddressPolicy.read(["10.0.0.0/8"])
    assert policy.allows(ip_address("::ffff:10.0.0.1"))
    assert not policy.allows(ip_address("::ffff:192.168.0.1"))


def test_one_allowed_host_opens_no_other() -> None:
    with pytest.raises(AddressRefused):
        AddressPolicy.read(["shop.internal"]).resolve("127.0.0.1", 80)


def test_all_private_addresses_can_be_allowed() -> None:
    assert AddressPolicy.read([], allow_private=True).resolve("127.0.0.1", 80) == ["127.0.0.1"]


def test_a_name_that_nobody_has_is_an_error_of_the_network() -> None:
    for name in ("a" * 70 + ".example", "no-such-host.invalid"):
        with pytest.raises(OSError, match=r"."):
            AddressPolicy().resolve(name, 80)


def test_the_connection_goes_to_the_address_that_was_checked() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with AddressPolicy.read(["localhost"]).open_socket("localhost", port, 5) as connection:
            assert connection.getpeername()[:2] == ("127.0.0.1", port)
        with pytest.raises(AddressRefused):
            AddressPolicy().open_socket("localhost", port, 5)
