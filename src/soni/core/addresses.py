"""Addresses that outgoing HTTP may reach: public ones, and those that the settings allow.

A name is resolved here and the connection goes to the address that was checked. A name that means
another address a moment later (DNS rebinding) does not get around the check.
"""

import socket
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

from soni.core.errors import SoniError

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

# A translator on the way delivers to the address of IPv4 in the last 32 bits.
_NAT64: Final = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/96"))


class AddressRefused(SoniError):  # noqa: N818 - what was decided, not what went wrong
    """A host that must not be connected to."""

    def __init__(self, host: str) -> None:
        super().__init__(
            f"'{host}' is a private address, which outgoing HTTP does not go to. If it should, "
            f"add it to settings.outgoing.allow: `outgoing: {{allow: [{host}]}}`"
        )


@dataclass(frozen=True)
class AddressPolicy:
    """Decides which addresses may be connected to."""

    hosts: frozenset[str] = frozenset()
    """Names that may mean any address, in lower case."""

    networks: tuple[Network, ...] = ()
    """Networks whose addresses may be connected to."""

    allow_private: bool = False

    @classmethod
    def read(cls, allow: Iterable[str], *, allow_private: bool = False) -> "AddressPolicy":
        """A policy of written entries, each a host, an address or a network."""
        hosts, networks = set[str](), list[Network]()
        for entry in allow:
            network = read_network(entry)
            if network is None:
                hosts.add(_fold_host(entry))
            else:
                networks.append(network)
        return cls(frozenset(hosts), tuple(networks), allow_private)

    def resolve(self, host: str, port: int) -> list[str]:
        """The addresses of a host that may be connected to, the preferred one first.

        Raises `AddressRefused` if there is none, and `OSError` if the name is not known.
        """
        # A name of more than 63 letters between two dots raises UnicodeError.
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except UnicodeError as error:
            raise OSError(f"'{host}' is no name of a host") from error
        addresses = list(dict.fromkeys(str(each[4][0]) for each in found))
        trusted = self.allow_private or _fold_host(host) in self.hosts
        allowed = [each for each in addresses if trusted or self.allows(ip_address(each))]
        if not allowed:
            raise AddressRefused(host)
        return allowed

    def allows(self, address: Address) -> bool:
        """Whether an address may be connected to."""
        meant = _list_meant(address)
        return any(each in network for each in meant for network in self.networks) or all(
            is_public(each) for each in meant
        )

    def open_socket(self, host: str, port: int, seconds: float) -> socket.socket:
        """A connection to a host, at an address that was checked."""
        failure: OSError | None = None
        for address in self.resolve(host, port):
            try:
                return socket.create_connection((address, port), seconds)
            except OSError as error:
                failure = error
        assert failure is not None  # `resolve` returns at least one address
        raise failure


def read_network(entry: str) -> Network | None:
    """The network or the single address that is written; None: it is a name."""
    try:
        return ip_network(entry.strip("[]"), strict=False)
    except ValueError:
        return None


def is_public(address: Address) -> bool:
    """Whether an address is one of the internet: no machine or network of one's own."""
    site_local = isinstance(address, IPv6Address) and address.is_site_local
    refused = address.is_multicast or address.is_reserved or site_local
    return address.is_global and not refused


def _list_meant(address: Address) -> list[Address]:
    """The addresses that a connection reaches: one of IPv6 may carry one of IPv4."""
    if isinstance(address, IPv4Address):
        return [address]
    if address.ipv4_mapped is not None:
        return [address.ipv4_mapped]
    if any(address in network for network in _NAT64):
        return [IPv4Address(int(address) & 0xFFFFFFFF)]
    carried = (address.sixtofour, *(address.teredo or ()))
    return [address, *(each for each in carried if each is not None)]


def _fold_host(host: str) -> str:
    return host.strip("[]").rstrip(".").lower()
