"""The sites of a simulated web, each a function of the seed and its number."""

from dataclasses import dataclass
from datetime import UTC, datetime

from outrider.simulate.kinds import PROFILES, ChannelType, SiteKind, SiteProfile
from outrider.simulate.mix import Mix, kinds_of
from outrider.simulate.random_values import between, dice, draw, one_of

START = datetime(2026, 1, 5, tzinfo=UTC)  # simulations begin on this Monday, unless a site says otherwise
DAY_S = 86_400.0

_WITH_CRAWL_DELAY = 0.1  # shares of all sites
_WITH_VALIDATORS = 0.75
_WITH_PRIVATE_PAGES = 0.3
_NOT_MIRRORED = frozenset((SiteKind.MIRROR, SiteKind.ARCHIVE, SiteKind.DYING))


@dataclass(frozen=True, slots=True)
class Site:
    """The properties of a site; its content at any time follows from them."""

    seed: int
    host: str
    kind: SiteKind
    content: str  # the host whose articles it shows: its own, or the one it mirrors
    content_kind: SiteKind
    channel: ChannelType
    posts_a_day: float
    backlog_days: int
    latency_s: float
    crawl_delay_s: float | None
    has_validators: bool  # it sends ETags and answers 304
    has_private_pages: bool  # its robots.txt forbids them, and its pages link to them
    start: datetime = START  # second 0 of its articles: midnight, because their paths name the day
    scheme: str = "https"
    name: str | None = None  # of its source; None: the host
    labels: tuple[str, ...] = ()  # of its source
    partners: tuple[str, ...] = ()  # pages of other sites, which its front page links to

    def __hash__(self) -> int:
        return hash(self.host)  # schedules are cached by site, and looked up often

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.host}"

    @property
    def profile(self) -> SiteProfile:
        return PROFILES[self.content_kind]


def make_sites(seed: int, count: int, mix: Mix) -> list[Site]:
    """The same web for the same seed, count and mix."""
    kinds = kinds_of(mix, count)
    dice(seed, "order of kinds").shuffle(kinds)
    hosts = [f"{kind.replace(' ', '-')}-{number:04}.test" for number, kind in enumerate(kinds, start=1)]
    originals = [pair for pair in zip(hosts, kinds, strict=True) if pair[1] not in _NOT_MIRRORED]
    sites = []
    for host, kind in zip(hosts, kinds, strict=True):
        content, content_kind = host, kind
        if kind is SiteKind.MIRROR and originals:
            content, content_kind = one_of(originals, seed, host, "original")
        sites.append(_site(seed, host, kind, content, content_kind))
    return sites


def _site(seed: int, host: str, kind: SiteKind, content: str, content_kind: SiteKind) -> Site:
    own, shown = PROFILES[kind], PROFILES[content_kind]
    return Site(
        seed=seed,
        host=host,
        kind=kind,
        content=content,
        content_kind=content_kind,
        channel=own.channel,
        posts_a_day=between(*shown.posts_a_day, seed, content, "posts"),
        backlog_days=shown.backlog_days,
        latency_s=between(*own.latency_s, seed, host, "latency"),
        crawl_delay_s=_crawl_delay_s(seed, host),
        has_validators=draw(seed, host, "validators") < _WITH_VALIDATORS,
        has_private_pages=draw(seed, host, "private") < _WITH_PRIVATE_PAGES,
    )


def _crawl_delay_s(seed: int, host: str) -> float | None:
    if draw(seed, host, "crawl-delay") >= _WITH_CRAWL_DELAY:
        return None
    return one_of((2.0, 3.0, 5.0, 10.0), seed, host, "seconds")
