"""The JSON of the robots.txt files of a host."""

from datetime import datetime
from typing import NotRequired

from typing_extensions import TypedDict


class RobotsFileShape(TypedDict):
    """A stored robots.txt, and what it says about the path of the question."""

    origin: str
    status: int | None
    fetched_at: datetime
    expires_at: datetime
    group: str | None
    crawl_delay: float | None
    sitemaps: list[str]
    body: str
    path: NotRequired[str]
    allowed: NotRequired[bool]
    line: NotRequired[int | None]
    rule: NotRequired[str | None]


class HostRobotsShape(TypedDict):
    """The stored robots.txt files of a host: one for each scheme and port."""

    host: str
    files: list[RobotsFileShape]
