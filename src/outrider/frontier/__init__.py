"""The frontier: the queue of all URLs, and the order in which they are fetched.

**Authority.** PostgreSQL decides. A claim leases *hosts* (`claim.sql`); only the worker that holds a
host's lease may send requests to it and complete its URLs. Nothing in a process is authoritative: its
seen set, its leases and its marks may be lost at any moment, and losing them only costs a look-up.

**Leases.** A lease is the host's `due_at` in the future, an owner, and a fencing number one higher
than before. There is no reaper: a lease that is not renewed is due. If a claim finds a host that still
has an owner, that owner died: the new worker waits the host's delay and fetches one URL at a time
(`crawl/poison.py`).

**Order of writes.** `complete` and `ingest` share the commit of a flush with the documents
they belong to, and a flush is applied once even if its answer is lost (`begin_flush`). `release`
follows that commit in its own transaction: in the same transaction, two workers that hold each
other's hosts would deadlock.

**Failures.** A slow worker that lost its lease may still flush: its successes count, its late
failures change no URL that was fetched since, and its release is ignored. A URL that arrives while
its host is leased sets `wake`, so the release cannot miss it. `sweep_lost_hosts` is a safety net and
normally finds nothing.
"""
