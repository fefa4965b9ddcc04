"""The newsroom of the demo: thirty simulated sites with names, and the day that was crawled before. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from outrider.simulate.kinds import SiteKind
from outrider.simulate.plan import SimulationPlan, WatchPolicy
from outrider.simulate.sites import DAY_S, Site, make_sites

HISTORY_S = DAY_S
SEED = 16
STEP_S = 1800.0  # long steps: the fill takes seconds
_POLL_S = 3600.0
_SITEMAP_POLL_S = 6 * 3600.0

MIX: Mapping[SiteKind, float] = {
    SiteKind.NEWS: 10,
    SiteKind.NEWS_SITEMAP: 3,
    SiteKind.BLOG: 5,
    SiteKind.SITEMAP: 3,
    SiteKind.PLAIN: 2,
    SiteKind.STORMY: 1,
    SiteKind.SLOW: 1,
    SiteKind.DYING: 1,
    SiteKind.MAZE: 1,
    SiteKind.CALENDAR: 1,
    SiteKind.MIRROR: 1,
    SiteKind.LIAR: 1,
}
NAMES = (
    "Harbour Gazette",
    "Valley Herald",
    "The Northern Post",
    "Evening Lantern",
    "Market Square Weekly",
    "River Chronicle",
    "The Orchard Review",
    "Coastal Times",
    "City Hall Watch",
    "Railway Journal",
    "The Glasshouse",
    "Science Dispatch",
    "Mill Town Mercury",
    "Forest and Field",
    "The Slow Kitchen",
    "Open Data Digest",
    "Cyclists Bulletin",
    "Museum Notes",
    "Weather Almanac",
    "Island Observer",
    "School Board Record",
    "The Night Editor",
    "Football Pages",
    "Theatre Row",
    "Parish Letter",
    "Tech Workbench",
    "Union Gazette",
    "Garden Diary",
    "Transport Monitor",
    "Budget Tracker",
)
_PARTNERS = (
    "lighthouse-letters.test",
    "county-archive.test",
    "harbour-radio.test",
    "press-council.test",
    "photo-agency.test",
    "regional-weather.test",
    "town-library.test",
    "river-society.test",
    "press-wire.test",
    "election-desk.test",
)
_LABELS = {
    SiteKind.NEWS: ("news",),
    SiteKind.NEWS_SITEMAP: ("news",),
    SiteKind.BLOG: ("magazine",),
    SiteKind.MIRROR: ("magazine",),
    SiteKind.DYING: ("watch-closely",),
    SiteKind.STORMY: ("news", "watch-closely"),
}


def newsroom_plan(now: datetime) -> SimulationPlan:
    """The simulation of the last day, which ends now."""
    start = _midnight_before(now)
    ends_s = (now - start).total_seconds()
    return SimulationPlan(
        hosts=len(NAMES),
        days=ends_s / DAY_S,
        seed=SEED,
        mix=MIX,
        policy=WatchPolicy(poll_s=_POLL_S, sitemap_poll_s=_SITEMAP_POLL_S),
        has_jobs=True,
        start=start,
        begins_s=ends_s - HISTORY_S,
        step_s=STEP_S,
    )


def newsroom_sites(now: datetime) -> Sequence[Site]:
    """The sites, with the names of newspapers instead of those of their kinds."""
    made = sorted(make_sites(SEED, len(NAMES), MIX), key=lambda site: list(MIX).index(site.kind))
    hosts = {site.host: _host(name) for site, name in zip(made, NAMES, strict=True)}
    return [
        replace(
            site,
            host=hosts[site.host],
            content=hosts[site.content],
            start=_midnight_before(now),
            scheme="http",
            name=name,
            labels=_LABELS.get(site.kind, ("local",)),
            partners=tuple(f"http://{_PARTNERS[(place + step) % len(_PARTNERS)]}/" for step in range(3)),
        )
        for place, (site, name) in enumerate(zip(made, NAMES, strict=True))
    ]


def _midnight_before(now: datetime) -> datetime:
    """The midnight before the day of history began."""
    began = now - timedelta(seconds=HISTORY_S)
    return began.replace(hour=0, minute=0, second=0, microsecond=0)


def _host(name: str) -> str:
    return f"{name.lower().removeprefix('the ').replace(' ', '-')}.test"
