"""The state that the visits of one worker share."""

import asyncio
import random
from collections import Counter
from dataclasses import dataclass, field

from outrider.crawl.admission.templates import TemplateWatch
from outrider.crawl.flush import Flusher
from outrider.crawl.limits.budget import PageBudget
from outrider.crawl.limits.new_url_limit import NewUrlLimit
from outrider.crawl.open_runs import OpenRuns
from outrider.crawl.options import CrawlOptions
from outrider.crawl.pages.reading import ReaderPool
from outrider.crawl.plans import PlanCache
from outrider.crawl.robots.robots_cache import RobotsCache
from outrider.crawl.run_log import RunLog
from outrider.crawl.seen import SeenUrls
from outrider.db.reconnecting import ReconnectingConnection
from outrider.fetch import Fetcher, FetchOptions
from outrider.frontier.store import FrontierStore
from outrider.hosts.options import HostOptions
from outrider.robots.store import RobotsStore


@dataclass(slots=True)
class VisitContext:
    """One for each worker process. It ends with the process; the truth is in the database."""

    fetcher: Fetcher
    frontier: FrontierStore
    robots: RobotsStore
    connection: ReconnectingConnection  # for the queries of a lane between requests
    flusher: Flusher
    plans: PlanCache
    budget: PageBudget
    robots_cache: RobotsCache
    seen: SeenUrls
    watch: TemplateWatch
    readers: ReaderPool
    options: CrawlOptions
    fetching: FetchOptions
    host_options: HostOptions
    new_url_limit: NewUrlLimit = field(default_factory=NewUrlLimit)
    alone: asyncio.Lock = field(default_factory=asyncio.Lock)  # held while a suspected poison URL is fetched
    dice: random.Random = field(default_factory=random.Random)
    crowded: bool = False  # more hosts are due than there are lanes
    stopping: bool = False
    in_flight: int = 0
    current_urls: dict[int, str] = field(default_factory=dict)  # the request under way of each host
    figures: Counter[str] = field(default_factory=Counter)
    runs: OpenRuns = field(default_factory=OpenRuns)
    run_log: RunLog = field(default_factory=RunLog)
