"""Compares the crawler's knowledge of articles with the published ones. Pure."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from outrider.simulate.articles import SimulatedArticle, published, says
from outrider.simulate.figures import ValueSpread, share
from outrider.simulate.findings import SimulationFindings
from outrider.simulate.server import RequestPurpose
from outrider.simulate.sites import Site
from outrider.simulate.web import LoggedRequest


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many of the published articles the crawler knows, and how many it has fetched."""

    articles: int
    known: int
    fetched: int
    known_share: float
    fetched_share: float


@dataclass(frozen=True, slots=True)
class Freshness:
    """How soon new articles were seen and fetched, and the age of outdated copies (0 for current ones)."""

    seen_after_s: ValueSpread
    by_way: Mapping[str, ValueSpread]
    fetched_after_s: ValueSpread
    copies: int
    current_share: float
    age_s: ValueSpread


@dataclass(frozen=True, slots=True)
class StoredCopy:
    """The crawler's copy of an article: when it was fetched first, and its latest content."""

    first_s: float
    says: str


def copies_of(log: Sequence[LoggedRequest]) -> dict[tuple[str, str], StoredCopy]:
    """The articles that the crawler has fetched, by host and path."""
    copies: dict[tuple[str, str], StoredCopy] = {}
    for request in log:
        if request.asked is RequestPurpose.ARTICLE and request.status == 200:
            place = (request.host, request.path)
            first_s = copies[place].first_s if place in copies else request.ended_s
            copies[place] = StoredCopy(first_s, request.says)
    return copies


def coverage(
    sites: Sequence[Site],
    findings: SimulationFindings,
    copies: Mapping[tuple[str, str], StoredCopy],
    now_s: float,
    *,
    is_new: bool,
) -> Coverage:
    """The coverage of articles published since the start, or of older ones."""
    articles = known = fetched = 0
    for site, article in _all(sites, now_s):
        if (article.published_s > 0) is not is_new:
            continue
        articles += 1
        known += f"{site.origin}{article.path}" in findings.known
        fetched += (site.host, article.path) in copies
    return Coverage(articles, known, fetched, share(known, articles), share(fetched, articles))


def freshness(
    sites: Sequence[Site],
    findings: SimulationFindings,
    copies: Mapping[tuple[str, str], StoredCopy],
    now_s: float,
) -> Freshness:
    first_sightings = {each.url: each for each in findings.first_sightings}
    lags: dict[str, list[float]] = defaultdict(list)
    fetched, ages = [], []
    for site, article in _all(sites, now_s):
        copy = copies.get((site.host, article.path))
        if copy is not None:
            ages.append(_age_s(site, article, copy, now_s))
        if article.published_s <= 0:
            continue
        if copy is not None:
            fetched.append(copy.first_s - article.published_s)
        seen = first_sightings.get(f"{site.origin}{article.path}")
        if seen is not None:
            lags[seen.way].append((seen.seen_at - site.start).total_seconds() - article.published_s)
    return Freshness(
        seen_after_s=ValueSpread.of([lag for some in lags.values() for lag in some]),
        by_way={way.replace("_", " "): ValueSpread.of(lags[way]) for way in sorted(lags)},
        fetched_after_s=ValueSpread.of(fetched),
        copies=len(ages),
        current_share=share(sum(age == 0 for age in ages), len(ages)),
        age_s=ValueSpread.of(ages),
    )


def _age_s(site: Site, article: SimulatedArticle, copy: StoredCopy, now_s: float) -> float:
    """For how long the copy has been outdated."""
    is_true = copy.says == says(site, article, now_s)
    return 0.0 if is_true else now_s - article.changed_s(now_s)


def _all(sites: Sequence[Site], now_s: float) -> Iterator[tuple[Site, SimulatedArticle]]:
    for site in sites:
        for article in published(site, now_s):
            yield site, article
