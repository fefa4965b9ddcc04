"""What the visits of one worker share."""

import asyncio
import random
from collections import Counter
from dataclasses import dataclass, field

from outrider.crawl.admission.templates import TemplateWatch
from outrider.crawl.flush import Flusher
from outrider.crawl.limits.budget import Budget
from outrider.crawl.limits.intake import Intake
from outrider.crawl.options import CrawlOptions
from outrider.crawl.pages.reading import Readers
from outrider.crawl.plans import Plans
from outrider.crawl.robots.gate import Gate
from outrider.crawl.seen import Seen
from outrider.db.line import Line
from outrider.fetch import Fetcher, FetchOptions
from outrider.frontier.store import FrontierStore
from outrider.hosts.options import HostOptions
from outrider.robots.store import RobotsStore


@dataclass(slots=True)
class VisitContext:
    """One for each worker process; nothing here outlives it and nothing here is the truth."""

    fetcher: Fetcher
    frontier: FrontierStore
    robots: RobotsStore
    line: Line  # for the questions a lane asks between requests
    flusher: Flusher
    plans: Plans
    budget: Budget
    gate: Gate
    seen: Seen
    watch: TemplateWatch
    readers: Readers
    options: CrawlOptions
    fetching: FetchOptions
    care: HostOptions
    intake: Intake = field(default_factory=Intake)
    alone: asyncio.Lock = field(default_factory=asyncio.Lock)  # held around a URL under suspicion
    dice: random.Random = field(default_factory=random.Random)
    crowded: bool = False  # more hosts are due than there are lanes
    stopping: bool = False
    in_flight: int = 0
    figures: Counter[str] = field(default_factory=Counter)
