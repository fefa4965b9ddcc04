"""200 sources on 200 hosts through a day that is moved, not slept: judged by the sites' own log."""

from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from datetime import datetime, timedelta

import pytest
from tests.support.newsroom import Answer, Asked, Engine, MovableClock, Newsroom, Request, feed, settings_for
from tests.support.politeness import violations
from tests.support.publications import conditional, page, rss

DAY = timedelta(hours=24)
TICK = timedelta(seconds=30)  # FED-01
DELAY_MS = 20
ITEMS = 4

DEAD = {
    "gone": Answer(410),
    "not_found": Answer(404),
    "forbidden": Answer(403),
    "parse_error": page("Sorry"),
    "upstream_failure": Answer(503),
    "rate_limited": Answer(429, headers={"Retry-After": "5400"}),
}
LIVELY, QUIET, DEAD_OF_A_KIND = 130, 40, 5


class Paper:
    """A site that publishes an item every so often, by the movable clock."""

    def __init__(self, number: int, opened: datetime) -> None:
        self.every = timedelta(minutes=60 + 13 * (number % 30))
        self._first = opened - self.every * (ITEMS + number % 7 / 7)

    def items(self, now: datetime, most: int = ITEMS) -> list[tuple[str, datetime]]:
        """The newest first."""
        last = int((now - self._first) / self.every)
        return [(f"/item/{n}", self._first + self.every * n) for n in range(last, max(last - most, -1), -1)]

    def feed(self, request: Request) -> Answer:
        return rss(self.items(request.now))

    def published(self, since: datetime, until: datetime) -> dict[str, datetime]:
        return {path: date for path, date in self.items(until, most=1_000) if since <= date}


@pytest.fixture
async def room(clock: MovableClock) -> AsyncIterator[Newsroom]:
    async with Newsroom(clock, sites=LIVELY + QUIET + DEAD_OF_A_KIND * len(DEAD)) as opened:
        yield opened


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


@pytest.mark.timeout(900)
async def test_a_day_of_200_sources(database: str, room: Newsroom, clock: MovableClock):
    opened = clock.now()
    papers = {site: Paper(site, opened) for site in range(LIVELY)}
    kinds = _open_sites(room, papers, opened)
    planned: dict[str, list[datetime]] = defaultdict(list)

    async with Engine(database, clock, settings_for(DELAY_MS)) as engine:
        for site in kinds:
            await engine.watch(f"site {site}", room.origin(site), feed(f"{room.origin(site)}/feed"))
        await _note_plans(engine, planned)
        while clock.now() < opened + DAY:
            await engine.round()
            await _note_plans(engine, planned)
            wait_s = max(await engine.next_due_in_s() or 0.0, TICK.total_seconds())
            await engine.skip(timedelta(seconds=wait_s), history=False)
        channels = {row["url"]: row for row in await engine.rows("SELECT * FROM channel")}
        documents = {
            row["url"]
            for row in await engine.rows("SELECT u.url FROM document JOIN url u USING (host_id, url_hash)")
        }

    assert len(kinds) == 200
    assert violations(room.log, lambda _: DELAY_MS / 1000) == [], "no host was ever early"
    _check_plans(room, planned)
    _check_news(room, papers, documents, opened, clock.now())
    _check_dead(room, kinds, channels)
    quiet = [site for site, kind in kinds.items() if kind == "quiet"]
    assert all({each.status for each in room.asked("/feed", site)[1:]} == {304} for site in quiet)


def _open_sites(room: Newsroom, papers: dict[int, Paper], opened: datetime) -> dict[int, str]:
    kinds = ["lively"] * LIVELY + ["quiet"] * QUIET + [kind for kind in DEAD for _ in range(DEAD_OF_A_KIND)]
    for site, kind in enumerate(kinds):
        room.publish("*", lambda request: page(f"{request.address} {request.path}"), site)
        room.publish("/robots.txt", Answer(404), site)
        if kind == "lively":
            room.publish("/feed", conditional(papers[site].feed), site)
        elif kind == "quiet":
            old = [(f"/old/{n}", opened - timedelta(days=40 + n)) for n in range(5)]
            room.publish("/feed", conditional(rss(old)), site)
        else:
            room.publish("/feed", DEAD[kind], site)
    return dict(enumerate(kinds))


async def _note_plans(engine: Engine, planned: dict[str, list[datetime]]) -> None:
    """When each feed is to be polled next, by the movable clock; a plan that stands is noted once."""
    for row in await engine.rows(
        "SELECT url, next_fetch_at FROM url WHERE kind = 2 AND next_fetch_at IS NOT NULL"
    ):
        plans, plan = planned[row["url"]], row["next_fetch_at"] + engine.clock.skipped
        if not plans or plan - plans[-1] > timedelta(seconds=1):
            plans.append(plan)


def _check_plans(room: Newsroom, planned: dict[str, list[datetime]]) -> None:
    """Every poll came, none before its time and none more than a minute after it."""
    asked: dict[str, list[Asked]] = defaultdict(list)
    for each in room.asked("/feed"):
        asked[f"http://{each.address}:{room.port}/feed"].append(each)
    for url, plans in planned.items():
        # The last plan lies in the next day.
        assert len(asked[url]) == len(plans) - 1, url
    late = [
        (poll.at - plan).total_seconds()
        for url, plans in planned.items()
        for plan, poll in zip(plans[:-1], asked[url], strict=True)
    ]

    assert min(late) >= -0.1
    assert max(late) <= 60


def _check_news(
    room: Newsroom, papers: dict[int, Paper], documents: set[str], opened: datetime, now: datetime
) -> None:
    """What was published is a document within the longest interval a feed may have."""
    longest = timedelta(minutes=65)
    lags = []
    for site, paper in papers.items():
        first_asked = {each.path: each.at for each in reversed(room.asked(site=site))}
        for path, date in paper.published(opened, now - longest).items():
            assert room.origin(site) + path in documents
            lags.append(first_asked[path] - date)

    assert len(lags) > LIVELY
    assert max(lags) <= longest


def _check_dead(room: Newsroom, kinds: dict[int, str], channels: dict[str, dict[str, object]]) -> None:
    """Each dead feed was asked as often as its back-off allows: FED-09, FED-12, FED-13."""
    dead = {site: kind for site, kind in kinds.items() if kind in DEAD}
    polls = Counter((kind, len(room.asked("/feed", site))) for site, kind in dead.items())
    errors = {(kind, channels[f"{room.origin(site)}/feed"]["error_type"]) for site, kind in dead.items()}

    assert polls == {
        ("gone", 1): 5,  # then it rests for three days
        ("not_found", 3): 5,  # 0, 30 and 90 minutes; then it rests for two days
        ("forbidden", 5): 5,  # … 3.5 and 7.5 hours; then it rests for a day
        ("parse_error", 5): 5,
        ("upstream_failure", 6): 5,  # … 15.5 hours
        ("rate_limited", 16): 5,  # as it asked: every 90 minutes
    }
    assert errors == {(kind, kind) for kind in DEAD}
