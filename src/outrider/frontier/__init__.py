"""Which URL next: everything we will ever request, and whose turn it is.

**Who decides.** PostgreSQL. A claim leases *hosts* (`claim.sql`); whoever holds a host's lease is
the only one who may talk to it and to complete its URLs. Nothing in a process is authoritative: its
seen set, its leases and its marks may be lost at any moment and only cost a look-up.

**What a lease is.** The host's `due_at` moved into the future, an owner, and a fencing number one
higher than before. There is no reaper: a lease that nobody renews is simply due. A claim that finds
an owner still there knows that somebody died holding it, waits the host's delay, and goes carefully
(`crawl/suspicion.py`).

**What is written when.** `complete` and `ingest` share the commit of a flush with the documents
they belong to, and a flush is applied once even if its answer is lost (`begin_flush`). `release`
comes after that commit, in a transaction of its own: inside the same one, two workers that hold
each other's hosts would deadlock.

**What may go wrong.** A worker that was slow and lost its lease may still flush: a success is a
success, a late failure changes nothing that was fetched since, its release is ignored. A URL that
arrives while its host is leased sets `wake`, so the release cannot miss it. `sweep_lost_hosts` is a
net under all this, and finds nothing.
"""
