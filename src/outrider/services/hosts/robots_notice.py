"""The sentence that says why robots.txt is not obeyed, for the start and the summary (ROB-11)."""

from collections.abc import Sequence

import asyncpg

from outrider.settings import Settings
from outrider.sources.store import SourceStore
from outrider.wording import plural
from outrider.workers.goals import CrawlGoal, Goal

_FOR = "this is for sites you own"
_NAMED = 5


async def robots_notice(db: asyncpg.Connection, settings: Settings, goal: Goal) -> str | None:
    """Why robots.txt is not obeyed in a session; None when it is obeyed everywhere."""
    if not settings.crawl.respect_robots:
        return f"robots.txt is not obeyed anywhere, because OUTRIDER_RESPECT_ROBOTS is false; {_FOR}"
    if isinstance(goal, CrawlGoal):
        is_ignored = goal.policy.ignore_robots
        return f"robots.txt is not obeyed, because of --ignore-robots; {_FOR}" if is_ignored else None
    return _of_sources(await SourceStore().ignoring_robots(db))


def _of_sources(names: Sequence[str]) -> str | None:
    if not names:
        return None
    shown = ", ".join(names[:_NAMED]) + (", …" if len(names) > _NAMED else "")
    return f"robots.txt is not obeyed for {plural(len(names), 'source')} ({shown}); {_FOR}"
