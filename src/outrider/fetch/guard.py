"""Which addresses may be requested: public addresses, and the networks that the operator allows.

Links come from untrusted pages, so a link must never reach services that only this machine can reach:
local services, the private network, the metadata service of the cloud. The networks are listed here,
because `is_global` of the standard library has changed between releases.
"""

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

import ada_url

Network = IPv4Network | IPv6Network

_REFUSED_V4 = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this network, unspecified
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # carrier-grade NAT, and Alibaba's metadata service
        "127.0.0.0/8",  # loopback
        "168.63.129.16/32",  # Azure's metadata service, a public address with a private meaning
        "169.254.0.0/16",  # link-local, and most metadata services
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments, and Oracle's metadata service
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",  # private
        "198.18.0.0/15",  # benchmarking
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
    )
)

_GLOBAL_V6 = IPv6Network("2000::/3")  # everything else is loopback, local, multicast, mapped or unassigned
_REFUSED_V6 = tuple(
    IPv6Network(network)
    for network in (
        "2001::/23",  # protocol assignments: Teredo, benchmarking, ORCHID
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4: hides an IPv4 address
        "3fff::/20",  # documentation
    )
)
_NAT64 = IPv6Network("64:ff9b::/96")


class BlockedAddress(Exception):
    """Connections to this address are not allowed."""

    def __init__(self, host: str, address: str) -> None:
        where = host if host == address else f"{host} at {address}"
        super().__init__(f"{where} is not a public address, and no setting allows it")
        self.host = host
        self.address = address


def permits(url: str, addresses: Sequence[str], allow: Sequence[str | Network] = ()) -> bool:
    """Whether the fetcher would connect to `url`, given the addresses of its host name.

    A literal address in the URL, in any spelling that browsers accept, is checked itself and `addresses`
    is ignored. Otherwise every address must be permitted: a name with a public and a private address is
    an attack. Without addresses the answer is False.
    """
    try:
        parsed = ada_url.URL(url)
    except ValueError:
        return False
    if parsed.protocol not in ("http:", "https:") or not parsed.hostname:
        return False
    networks = networks_of(allow)
    literal = parsed.hostname.strip("[]")
    if is_address(literal):
        return is_permitted(literal, networks)
    return bool(addresses) and all(is_permitted(address, networks) for address in addresses)


def is_permitted(address: str, allow: Sequence[Network] = ()) -> bool:
    """Whether connections to this address are allowed."""
    parsed = _parse(address)
    if parsed is None:
        return False
    return any(parsed in network for network in allow) or _is_public(parsed)


def is_address(host: str) -> bool:
    """Whether this is a literal address and not a name."""
    return _parse(host) is not None


def networks_of(names: Sequence[str | Network]) -> tuple[Network, ...]:
    """Parse networks such as `10.0.0.0/8`; a single address is a network of one."""
    return tuple(name if not isinstance(name, str) else ip_network(name.strip(), False) for name in names)


def _parse(address: str) -> IPv4Address | IPv6Address | None:
    try:
        parsed = ip_address(address)
    except ValueError:
        return None
    if isinstance(parsed, IPv6Address) and parsed.scope_id is not None:
        return None  # a zone names an interface of this machine
    return parsed


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _REFUSED_V4)
    if address in _NAT64:
        # DNS64 in an IPv6-only network wraps every IPv4 address: check the wrapped address.
        return _is_public(IPv4Address(int(address) & 0xFFFFFFFF))
    return address in _GLOBAL_V6 and not any(address in network for network in _REFUSED_V6)
