"""Parameters that several resources of the crawl share: ids of URLs, hosts, sources and times."""

from datetime import UTC, date, datetime, time
from typing import Annotated, Any

from fastapi import Path, Query
from pydantic import AfterValidator, BeforeValidator, StringConstraints, WithJsonSchema

from outrider.services.urls.keys import LONGEST_KEY
from outrider.urls.typed import host_named

LONGEST_HOST = 300
LONGEST_SEARCH = 200
LONGEST_URL = 8_000


def _moment(value: Any) -> Any:
    """A date is its first moment, a time without a zone is UTC. A number is refused: it has no unit."""
    if isinstance(value, str) and len(value) == 10:
        try:
            return datetime.combine(date.fromisoformat(value), time(), UTC)
        except ValueError:
            raise ValueError("a date looks like 2026-01-31") from None
    if isinstance(value, int | float) or (isinstance(value, str) and not value[4:5] == "-"):
        raise ValueError("a time looks like 2026-01-31T12:00:00Z")
    return value


def _in_utc(value: datetime) -> datetime:
    try:
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
    except OverflowError:
        raise ValueError("a time in UTC is in the years 1 to 9999") from None


Moment = Annotated[
    datetime,
    BeforeValidator(_moment),
    AfterValidator(_in_utc),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]
# The length is that of the given text: a name may be shorter when it is normalised.
HostName = Annotated[str, StringConstraints(max_length=LONGEST_HOST), AfterValidator(host_named)]

UrlId = Annotated[
    str,
    Path(
        max_length=LONGEST_KEY,
        pattern=r"^-?[0-9]{1,19}:[0-9a-f]{32}$",
        description="The id of a URL or page, as lists give it.",
    ),
]
HostPath = Annotated[HostName, Path(description="The name of a host, such as `example.com`.")]
HostQuery = Annotated[HostName | None, Query(description="Only of this host.")]
SourceQuery = Annotated[
    str | None, Query(max_length=200, description="Only of this source: its id or its name.")
]
SearchQuery = Annotated[str | None, Query(min_length=1, max_length=LONGEST_SEARCH)]
DryRun = Annotated[bool, Query(description="Count only, and change nothing.")]
