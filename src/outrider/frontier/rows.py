"""From the rows of a claim to leases and entries."""

from typing import Any

from outrider.frontier.lease import Lease
from outrider.frontier.model import ORIGINS, Entry, Kind
from outrider.hosts.model import BreakerState, HostState
from outrider.urls import UrlKey

BREAKERS = tuple(BreakerState)


def lease_with_entries(rows: list[Any], expires: float) -> Lease:
    first = rows[0]
    lease = lease_of(first, first["host"] or "", expires)
    lease.asked_delay_ms = first["asked_delay_ms"]
    lease.pages = first["host_pages"] or 0
    lease.entries = [_entry(row) for row in rows if row["url_hash"] is not None]
    return lease


def lease_of(first: Any, host: str, expires: float) -> Lease:
    state = HostState(
        delay_ms=first["delay_ms"],
        penalty_ms=first["penalty_ms"],
        calm=first["calm"],
        breaker=BREAKERS[first["breaker"]],
        failures=first["failures"],
        trips=first["trips"],
        probes_ok=first["probes_ok"],
        robots_failures=first["robots_failures"],
    )
    return Lease(
        host_id=first["host_id"],
        host=host,
        seq=first["lease_seq"],
        expires=expires,
        state=state,
        probation=first["probation"],
        relapsed=first["relapsed"],
        blame=first["blame"],
        accused=first["accused"].hex if first["accused"] else None,
        was_lost=first["was_lost"],
    )


def _entry(row: Any) -> Entry:
    return Entry(
        key=UrlKey(row["host_id"], row["url_hash"].hex),
        url=row["url"],
        priority=row["prio"],
        source_id=row["source_id"],
        origin=ORIGINS[row["origin"]],
        kind=Kind(row["kind"]),
        depth=row["depth"],
        attempts=row["attempts"],
        fetches=row["fetches"],
        hops=row["hops"],
        via=row["via"],
        etag=row["etag"],
        last_modified=row["last_modified"],
    )
