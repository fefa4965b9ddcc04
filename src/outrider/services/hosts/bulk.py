"""Use cases that change many hosts at once, and what such a change affects."""

from collections.abc import Sequence
from dataclasses import dataclass

import asyncpg

from outrider.errors import InvalidInput, NotFound
from outrider.hosts.options import HostOptions
from outrider.services.hosts.hosts import HostDetails, block_host, reset_host, show_host
from outrider.services.urls.bulk import BulkOutcome

MOST_HOSTS_SELECTED = 250


@dataclass(frozen=True, slots=True)
class HostSelection:
    """The hosts of a selection that are known, as they are now."""

    hosts: Sequence[HostDetails]

    @property
    def queued(self) -> int:
        return sum(each.queued for each in self.hosts)


async def show_hosts(db: asyncpg.Connection, names: Sequence[str]) -> HostSelection:
    """The hosts of a selection; raises InvalidInput for none or too many. Unknown hosts are left out."""
    _check(names)
    found = []
    for name in names:
        try:
            found.append(await show_host(db, name))
        except NotFound:
            continue
    return HostSelection(found)


async def block_hosts(
    db: asyncpg.Connection, names: Sequence[str], reason: str, options: HostOptions
) -> BulkOutcome:
    """Block all these hosts for one reason, or none of them."""
    _check(names)
    async with db.transaction():
        for name in names:
            await block_host(db, name, reason, options)
    return BulkOutcome(len(names))


async def reset_hosts(db: asyncpg.Connection, names: Sequence[str]) -> BulkOutcome:
    """Reset all these hosts; those that are not known are refused."""
    _check(names)
    done, refused = 0, []
    for name in names:
        try:
            await reset_host(db, name)
            done += 1
        except NotFound as error:
            refused.append(str(error))
    return BulkOutcome(done, refused)


def _check(names: Sequence[str]) -> None:
    if not names or len(names) > MOST_HOSTS_SELECTED:
        raise InvalidInput(f"select 1 to {MOST_HOSTS_SELECTED} hosts first")
