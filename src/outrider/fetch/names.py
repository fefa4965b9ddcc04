"""Names that a setting resolves instead of DNS: `*.test=127.0.0.0/8,shop.test=127.0.0.5`."""

from dataclasses import dataclass
from hashlib import sha256
from ipaddress import IPv4Network, ip_network

from outrider.fetch.guard import Network

_LOOPBACK = IPv4Network("127.0.0.0/8")


@dataclass(frozen=True, slots=True)
class NameRule:
    """One rule: a name, `*.suffix` or `*`, and the network of its address."""

    pattern: str
    network: Network

    def matches(self, host: str) -> bool:
        if self.pattern.startswith("*"):
            return host.endswith(self.pattern[1:])
        return host == self.pattern


def parse_rules(text: str) -> tuple[NameRule, ...]:
    """Parse the setting; raises ValueError with the reason."""
    return tuple(_parse_rule(item.strip()) for item in text.split(",") if item.strip())


def address_for(host: str, rules: tuple[NameRule, ...]) -> str | None:
    """The address of `host` by the first rule that matches; the same name always gets the same address."""
    name = host.rstrip(".").lower()
    for rule in rules:
        if rule.matches(name):
            return _pick(name, rule.network)
    return None


def _parse_rule(item: str) -> NameRule:
    pattern, separator, network = item.partition("=")
    pattern = pattern.strip().lower()
    if not separator or not pattern or "*" in pattern[1:]:
        raise ValueError(f"{item!r} is not NAME=NETWORK, as in *.test=127.0.0.0/8")
    return NameRule(pattern, ip_network(network.strip(), strict=False))


def _pick(name: str, network: Network) -> str:
    first, count = 0, network.num_addresses
    if network == _LOOPBACK:
        first, count = 2, 249  # 127.0.0.2 to 127.0.0.250: few enough for a test server to listen on
    elif count > 2:
        first, count = 1, count - 2
    place = int.from_bytes(sha256(name.encode()).digest()[:8], "big") % count
    return str(network[first + place])
