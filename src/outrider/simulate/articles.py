"""The articles of a site and their times: a schedule that is computed day by day, not stored.

Times are seconds after the simulation's start; earlier articles have negative times.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import accumulate

from outrider.simulate.kinds import SiteKind
from outrider.simulate.random_values import between, dice, draw
from outrider.simulate.sites import DAY_S, Site

_MOST_DAYS_REMEMBERED = 200_000
_MOST_SITES_REMEMBERED = 10_000
_LONGEST_UNTIL_REVISED_S = 2 * DAY_S
_EVEN = (1,) * 24
_NEWSROOM = (1, 1, 1, 1, 1, 2, 5, 8, 9, 9, 8, 8, 7, 7, 8, 8, 8, 7, 5, 4, 3, 3, 2, 1)
_EVENING = (2, 1, 1, 0, 0, 0, 1, 2, 2, 2, 2, 2, 3, 2, 2, 2, 3, 4, 6, 8, 9, 8, 6, 4)
_RHYTHM = {
    SiteKind.NEWS: _NEWSROOM,
    SiteKind.NEWS_SITEMAP: _NEWSROOM,
    SiteKind.BLOG: _EVENING,
    SiteKind.PLAIN: _EVENING,
}
_WORDS = [
    "harbour",
    "council",
    "river",
    "bridge",
    "market",
    "school",
    "forest",
    "railway",
    "museum",
    "garden",
    "orchard",
    "theatre",
    "village",
    "station",
    "summer",
    "winter",
    "morning",
    "evening",
    "budget",
    "survey",
    "report",
    "archive",
    "letter",
    "journey",
    "kitchen",
    "window",
    "captain",
    "teacher",
    "driver",
    "painter",
    "farmer",
    "singer",
    "baker",
    "lawyer",
    "doctor",
    "engine",
    "signal",
    "copper",
    "timber",
    "marble",
    "cotton",
    "paper",
    "silver",
    "storm",
    "frost",
    "harvest",
    "ballot",
    "treaty",
    "contest",
    "festival",
    "exhibit",
    "reform",
    "repair",
    "opening",
    "closing",
    "record",
    "rumour",
    "quiet",
    "early",
    "narrow",
    "gentle",
    "steady",
    "broken",
    "hidden",
    "public",
    "modest",
    "sudden",
    "ancient",
    "careful",
    "distant",
    "local",
    "plain",
]


@dataclass(frozen=True, slots=True)
class SimulatedArticle:
    """One article of one site."""

    path: str
    title: str
    published_s: float
    revised_s: float | None = None

    def version(self, now_s: float) -> int:
        return 1 if self.revised_s is None or now_s < self.revised_s else 2

    def changed_s(self, now_s: float) -> float:
        """When the current version was published."""
        return self.revised_s if self.version(now_s) == 2 and self.revised_s is not None else self.published_s


def published(site: Site, now_s: float) -> Sequence[SimulatedArticle]:
    """All published articles, the newest first."""
    return newest(site, now_s, None)


def newest(site: Site, now_s: float, most: int | None) -> Sequence[SimulatedArticle]:
    known = _until(site, int(now_s // DAY_S))
    still_to_come = next((place for place, each in enumerate(known) if each.published_s <= now_s), len(known))
    return known[still_to_come : None if most is None else still_to_come + most]


def find(site: Site, path: str, now_s: float) -> SimulatedArticle | None:
    """The article at a path, once it is published."""
    parts = path.split("/")
    try:
        date = datetime(int(parts[1]), int(parts[2]), int(parts[3]), tzinfo=UTC)
    except (ValueError, IndexError):
        return None
    day = (date - site.start).days
    if not -site.backlog_days <= day <= now_s // DAY_S:
        return None
    return next(
        (each for each in _of_day(site, day) if each.path == path and each.published_s <= now_s), None
    )


def says(site: Site, article: SimulatedArticle, now_s: float) -> str:
    """An identifier of the article's text; equal on every mirror that shows the same version."""
    return f"{site.content}{article.path} v{article.version(now_s)}"


def text_of(site: Site, article: SimulatedArticle, version: int) -> list[str]:
    """The paragraphs of an article: different for each article and version, the same on every mirror."""
    rolled = dice(site.seed, site.content, article.path, version)
    return [" ".join(rolled.choices(_WORDS, k=45)).capitalize() + "." for _ in range(2)]


@lru_cache(maxsize=_MOST_SITES_REMEMBERED)
def _until(site: Site, day: int) -> tuple[SimulatedArticle, ...]:
    """The articles published until the end of a day, the newest first."""
    since_start = [article for each in range(day, -1, -1) for article in reversed(_of_day(site, each))]
    return (*since_start, *_backlog(site))


@lru_cache(maxsize=_MOST_SITES_REMEMBERED)
def _backlog(site: Site) -> tuple[SimulatedArticle, ...]:
    """The articles published before the simulation began, the newest first."""
    days = range(-1, -site.backlog_days - 1, -1)
    return tuple(article for each in days for article in reversed(_of_day(site, each)))


@lru_cache(maxsize=_MOST_DAYS_REMEMBERED)
def _of_day(site: Site, day: int) -> tuple[SimulatedArticle, ...]:
    """The articles of one day in the order they appear."""
    seed, name = site.seed, site.content
    is_weekend = (site.start.weekday() + day) % 7 >= 5
    wanted = site.posts_a_day * (0.6 if is_weekend else 1.16)
    count = int(wanted) + (draw(seed, name, day, "count") < wanted % 1)
    times = sorted(day * DAY_S + _second_of_day(site, day, number) for number in range(count))
    return tuple(_article(site, day, number, at_s) for number, at_s in enumerate(times))


def _article(site: Site, day: int, number: int, at_s: float) -> SimulatedArticle:
    seed, name = site.seed, site.content
    words = dice(seed, name, day, number, "title").sample(_WORDS, 4)
    date = (site.start + timedelta(days=day)).strftime("%Y/%m/%d")
    revised_s = None
    if draw(seed, name, day, number, "revised?") < site.profile.revised:
        revised_s = at_s + between(1800, _LONGEST_UNTIL_REVISED_S, seed, name, day, number, "revised")
    return SimulatedArticle(
        f"/{date}/{'-'.join(words)}-{number}", " ".join(words).capitalize(), at_s, revised_s
    )


def _second_of_day(site: Site, day: int, number: int) -> float:
    """A random second of the day, weighted by the hours in which such a site publishes."""
    sums = list(accumulate(_RHYTHM.get(site.content_kind, _EVEN)))
    seed, name = site.seed, site.content
    hour = bisect_right(sums, draw(seed, name, day, number, "hour") * sums[-1])
    return (hour + draw(seed, name, day, number, "minute")) * 3600
