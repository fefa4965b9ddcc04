"""The settings of fetching."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from outrider import __version__
from outrider.fetch.contact import PLACEHOLDER, contacts_in, is_contact, usable_contact
from outrider.fetch.guard import Network, networks_of
from outrider.fetch.hops import DEFAULT_MAX_REDIRECTS, HopLimits, RedirectPolicy, RedirectScope
from outrider.fetch.names import NameRule, parse_rules
from outrider.options import setting

_FIT_FOR_A_HEADER = re.compile(r"[\x20-\x7e\xa0-\xff]*")
_PROXY = re.compile(r"(https?|socks5)://[!-.0-~]+/?")


def _networks(text: str) -> tuple[Network, ...]:
    return networks_of([item for item in text.split(",") if item.strip()])


def _contact(text: str) -> str:
    if text.strip() and not is_contact(text.strip()):
        raise ValueError("give an e-mail address, or a web address with http:// or https://")
    return text.strip()


@dataclass(frozen=True, slots=True)
class FetchOptions:
    """Requests: headers, timeouts, sizes, and which addresses are allowed."""

    timeout_s: float = field(
        default=30.0,
        metadata=setting(
            "OUTRIDER_TIMEOUT",
            "Total time for one request: name lookup, connection, TLS, headers and body.",
            alias=("FETCHER_REQUEST_TIMEOUT", "CRAWLER_REQUEST_TIMEOUT"),
            kind="duration",
            least=0.1,
            most=3600,
        ),
    )
    max_body_bytes: int = field(
        default=10 * 1024 * 1024,
        metadata=setting(
            "OUTRIDER_MAX_BODY",
            "Largest body, on the wire and decompressed; a larger one is a failure and is never truncated.",
            alias=("CRAWLER_MAX_BODY_SIZE",),
            kind="size",
            least=1024,
            most=1 << 30,
        ),
    )
    follow_redirects: bool = field(
        default=True,
        metadata=setting(
            "OUTRIDER_FOLLOW_REDIRECTS",
            "Follow redirects. If false, the redirect is the result.",
            alias=("FETCHER_FOLLOW_REDIRECTS", "CRAWLER_FOLLOW_REDIRECTS"),
        ),
    )
    max_redirects: int = field(
        default=DEFAULT_MAX_REDIRECTS,
        metadata=setting(
            "OUTRIDER_MAX_REDIRECTS",
            "Redirects followed from one address before the request fails.",
            alias=("FETCHER_MAX_REDIRECTS", "CRAWLER_MAX_REDIRECTS"),
            least=0,
            most=50,
        ),
    )
    redirect_policy: RedirectPolicy = field(
        default=RedirectPolicy.CANONICALISE,
        metadata=setting(
            "OUTRIDER_REDIRECT_POLICY",
            "What happens to a URL that moved: it gets the new address, or it ends and the new one is added.",
        ),
    )
    redirect_scope: RedirectScope = field(
        default=RedirectScope.ANY,
        metadata=setting(
            "OUTRIDER_REDIRECT_SCOPE",
            "How far a redirect of a page is followed: to any host, or only within its registrable domain. "
            "Links that a crawl follows stay within the scope of the crawl in either case.",
        ),
    )
    user_agent: str = field(
        default="",
        metadata=setting(
            "OUTRIDER_USER_AGENT",
            "Start of the User-Agent header, or all of it if it has a contact; empty: the product.",
            alias=("FETCHER_USER_AGENT", "CRAWLER_USER_AGENT"),
        ),
    )
    contact: str = field(
        default="",
        metadata=setting(
            "OUTRIDER_CONTACT",
            "Your e-mail address or web page, sent to every site, so that its owner can reach you. "
            "Without a contact nothing on the public web is requested.",
            parse=_contact,
        ),
    )
    accept: str = field(
        default="text/html,application/xhtml+xml",
        metadata=setting("OUTRIDER_ACCEPT", "The Accept header sent for pages."),
    )
    accept_language: str = field(
        default="",
        metadata=setting("OUTRIDER_ACCEPT_LANGUAGE", "The Accept-Language header; empty: none is sent."),
    )
    allow_private: tuple[Network, ...] = field(
        default=(),
        metadata=setting(
            "OUTRIDER_ALLOW_PRIVATE",
            "Networks that may be crawled although they are not public, as in 127.0.0.0/8,10.1.0.0/16.",
            parse=_networks,
        ),
    )
    resolve: tuple[NameRule, ...] = field(
        default=(),
        metadata=setting(
            "OUTRIDER_RESOLVE",
            "Names resolved by this setting instead of DNS, as in *.test=127.0.0.0/8,shop.test=127.0.0.5.",
            parse=parse_rules,
        ),
    )
    dns_timeout_s: float = field(
        default=10.0,
        metadata=setting(
            "OUTRIDER_DNS_TIMEOUT", "Longest wait for a name lookup.", kind="duration", least=0.1, most=300
        ),
    )
    dns_cache_s: float = field(
        default=300.0,
        metadata=setting(
            "OUTRIDER_DNS_CACHE",
            "How long a result of DNS is cached.",
            kind="duration",
            least=0,
            most=86400,
        ),
    )
    ca_file: Path | None = field(
        default=None,
        metadata=setting("OUTRIDER_CA_FILE", "Certificates to trust besides the machine's own, in PEM."),
    )
    insecure_skip_verify: bool = field(
        default=False,
        metadata=setting(
            "OUTRIDER_TLS_INSECURE_SKIP_VERIFY",
            "Accept any certificate. For development only.",
            alias=("CRAWLER_TLS_INSECURE_SKIP_VERIFY",),
        ),
    )
    proxies: tuple[str, ...] = field(
        default=(),
        metadata=setting(
            "OUTRIDER_PROXIES",
            "Proxies, used in rotation: http://, https:// or socks5:// addresses.",
            alias=("CRAWLER_PROXY_URLS", "CRAWLER_PROXY_POOL_URLS"),
            secret=True,
        ),
    )
    proxies_enabled: bool = field(
        default=True,
        metadata=setting(
            "OUTRIDER_PROXIES_ENABLED",
            "Use the listed proxies. If false, every request is direct, even if proxies are listed.",
            alias=("CRAWLER_PROXIES_ENABLED",),
        ),
    )
    proxy_pool: bool = field(
        default=False,
        metadata=setting(
            "OUTRIDER_PROXY_POOL",
            "Keep a domain on one proxy for a while instead of changing with every request.",
            alias=("CRAWLER_PROXY_POOL_ENABLED",),
        ),
    )
    proxy_sticky_s: float = field(
        default=600.0,
        metadata=setting(
            "OUTRIDER_PROXY_STICKY",
            "How long the pool keeps a domain on one proxy.",
            alias=("CRAWLER_PROXY_STICKY_TTL",),
            kind="duration",
            least=0,
            most=86400,
        ),
    )
    proxy_rest_s: float = field(
        default=300.0,
        metadata=setting(
            "OUTRIDER_PROXY_REST",
            "How long a proxy that failed is not used.",
            kind="duration",
            least=0,
            most=86400,
        ),
    )
    idle_connections: int = field(
        default=100,
        metadata=setting(
            "OUTRIDER_IDLE_CONNECTIONS", "Connections kept open for the next request.", least=0, most=10_000
        ),
    )
    connections_per_host: int = field(
        default=10,
        metadata=setting("OUTRIDER_CONNECTIONS_PER_HOST", "Connections to one host.", least=1, most=100),
    )
    keepalive_s: float = field(
        default=90.0,
        metadata=setting(
            "OUTRIDER_KEEPALIVE",
            "How long an idle connection is kept; less when the server says so.",
            kind="duration",
            least=0,
            most=3600,
        ),
    )
    retry_after_ceiling_s: float = 7 * 86_400.0  # the most that OUTRIDER_RETRY_AFTER_CAP may allow
    head_bytes: int = 64 * 1024  # status line and headers together
    head_line_bytes: int = 16 * 1024
    head_lines: int = 200

    def __post_init__(self) -> None:
        for name in ("user_agent", "contact", "accept", "accept_language"):
            if not _FIT_FOR_A_HEADER.fullmatch(getattr(self, name)):
                raise ValueError(f"{name} is sent as a header: no line breaks, only Latin-1 characters")
        for proxy in self.proxies:
            if not _PROXY.fullmatch(proxy):
                raise ValueError("a proxy is http://, https:// or socks5:// with a host and a port")

    @property
    def hop_limits(self) -> HopLimits:
        return HopLimits(self.max_redirects, self.follow_redirects)

    @property
    def proxies_in_use(self) -> tuple[str, ...]:
        return self.proxies if self.proxies_enabled else ()

    @property
    def agent(self) -> str:
        """The User-Agent header, with the contact added if it has none."""
        product, contact = self.user_agent.strip(), self.contact.strip()
        if product and (contacts_in(product) or not contact):
            return product
        return f"{product or f'Outrider/{__version__}'} (+{contact or PLACEHOLDER})"

    @property
    def is_anonymous(self) -> bool:
        """Whether the User-Agent has no usable contact."""
        return usable_contact(self.agent) is None
