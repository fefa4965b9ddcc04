"""Targets of redirects: a path of the same site with its own query, or a URL elsewhere. Pure."""

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from urllib.parse import quote, quote_from_bytes, urlsplit

from outrider.errors import InvalidInput
from outrider.sites.paths import PathRules, checked, decode, for_header, stored

LONGEST_TARGET = 4_096  # characters
_CONTROLS = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029\ud800-\udfff]")
_HOST = re.compile(r"[a-z0-9.-]{1,253}(?::[0-9]{1,5})?|\[[0-9a-f:.]{2,45}\](?::[0-9]{1,5})?", re.I)
_HOST_PARTS = re.compile(r"(.*?)\.?(?::([0-9]+))?", re.S)
_QUERY_KEEPS = "%/:@!&'()*+,;=~-._?[]"  # no $, which is a variable in nginx
_DEFAULT_PORTS = {"http": 80, "https": 443}
_PRINTABLE = re.compile(r"[\x21-\x7e]*")
_PRINTABLE_CHARACTERS = bytes(range(0x21, 0x7F)).decode()


@dataclass(frozen=True, slots=True)
class Target:
    """Where a redirect leads. `origin` is empty for the same site."""

    path: str  # in stored form
    query: str = ""
    fragment: str = ""
    origin: str = ""

    @property
    def key(self) -> str | None:
        """The path on the same site; None for another site."""
        return None if self.origin else self.path

    @property
    def text(self) -> str:
        """The target as people write it."""
        query = f"?{self.query}" if self.query else ""
        return f"{self.origin}{self.path}{query}" + (f"#{self.fragment}" if self.fragment else "")

    def through(self, further: "Target") -> "Target":
        """Where a visitor ends whom this target leads to a path that is redirected further (RDM-11)."""
        query = merged(further.query, self.query)
        made = replace(further, query=query, fragment=further.fragment or self.fragment)
        return made if len(made.text) <= LONGEST_TARGET else further


def read_target(
    text: str, rules: PathRules, hosts: Collection[str] = (), *, may_leave: bool = False
) -> Target:
    """A target that a person or a program wrote (RDM-24); raises InvalidInput with the reason.

    A URL on one of `hosts` becomes a path. A URL elsewhere needs `may_leave`.
    """
    if not text or len(text) > LONGEST_TARGET:
        raise InvalidInput(f"a target has 1 to {LONGEST_TARGET:,} characters, not {len(text):,}")
    if _CONTROLS.search(text):
        raise InvalidInput("the target contains a blank or a control character: remove or percent-encode it")
    if text.startswith("//") or "\\" in text:
        raise InvalidInput("the target begins with // or contains a backslash: write a path or a whole URL")
    try:
        parts = urlsplit(text)
    except ValueError as error:
        raise InvalidInput(f"the target cannot be read: {error}") from None
    if parts.scheme or parts.netloc:
        return _elsewhere(
            parts.scheme, parts.netloc, parts.path, parts.query, parts.fragment, rules, hosts, may_leave
        )
    return Target(
        stored(rules.key(checked(decode(parts.path)))), _quoted(parts.query), _quoted(parts.fragment)
    )


def _elsewhere(
    scheme: str,
    host: str,
    path: str,
    query: str,
    fragment: str,
    rules: PathRules,
    hosts: Collection[str],
    may_leave: bool,
) -> Target:
    if scheme not in ("http", "https"):
        raise InvalidInput("the target is a path, or a URL that begins with http:// or https://")
    if not _HOST.fullmatch(host):
        raise InvalidInput("the target needs a plain host name, without user, password or other signs")
    if not {host.lower(), _usual_host(scheme, host)}.isdisjoint(hosts):
        return Target(stored(rules.key(checked(decode(path or "/")))), _quoted(query), _quoted(fragment))
    if not may_leave:
        raise InvalidInput(
            f"the target leads to another site, {host}: allow it for this redirect, or give a path"
        )
    return Target(for_header(path or "/"), _quoted(query), _quoted(fragment), f"{scheme}://{host.lower()}")


def _usual_host(scheme: str, host: str) -> str:
    """The same host as browsers write it in `Host`: without the default port and a dot at the end."""
    found = _HOST_PARTS.fullmatch(host.lower())
    assert found is not None  # it matches every text
    name, port = found.groups()
    return name if port is None or int(port) == _DEFAULT_PORTS[scheme] else f"{name}:{int(port)}"


def merged(own: str, other: str) -> str:
    """Two queries as one, joined as web servers join them (RDM-15)."""
    return f"{own}&{other}" if own and other else own or other


def location(target: str, query: str) -> str:
    """The header `Location` for a target that is ready for headers, with the query of the visitor."""
    if not query:
        return target
    rest, hash_sign, fragment = target.partition("#")
    path, _, own = rest.partition("?")
    return f"{path}?{merged(own, _visitor_query(query))}{hash_sign}{fragment}"


def _visitor_query(query: str) -> str:
    """A query as the visitor sent it, as web servers keep it. Only what no header may contain is encoded."""
    if _PRINTABLE.fullmatch(query):
        return query
    try:
        raw = query.encode("latin-1")  # how the interfaces of web servers give bytes as text
    except UnicodeEncodeError:
        raw = query.encode(errors="replace")
    return quote_from_bytes(raw, safe=_PRINTABLE_CHARACTERS)


def _quoted(text: str) -> str:
    return quote(text, safe=_QUERY_KEEPS)
