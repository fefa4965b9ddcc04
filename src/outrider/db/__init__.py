"""PostgreSQL: where it runs, how to connect to it, and its schema.

There is one code path. A DSN comes from the settings, or from `embedded.py`, which runs a
real server in the data directory; the other packages see only the DSN.

What this package guarantees:

* **The embedded server is shared and never orphaned.** Every process that uses it holds a
  lease, which the kernel releases even if the process is killed; a keeper stops the server after
  the last one. `ensure_running` restarts a server that was killed, and WAL recovery restores every
  committed row.
* **The schema changes only by explicit migrations.** They are numbered, each runs in its own
  transaction, under one lock. A database of a newer Outrider is refused; an external server is
  never migrated silently.
* **SQL lives in `.sql` files**, is loaded by name, and a test prepares every one of them.
* **An error is one sentence** (`Misconfigured` or `Unavailable`), with no secret in it.
"""
