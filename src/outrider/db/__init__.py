"""PostgreSQL, the one truth: where it runs, how we reach it, what shape it has.

There is one code path. A DSN comes from the settings, or from `embedded.py`, which runs a
real server in the data directory; everything above sees only the DSN.

What this package promises:

* **The embedded server is shared and never orphaned.** Every process that uses it holds a
  lease the kernel takes back however the process dies; a keeper stops the server after the
  last one. A server that was killed is brought back by `ensure_running`, and WAL recovery
  returns every committed row.
* **The schema only moves on purpose.** Numbered migrations, each in its own transaction,
  under one lock. A database of a newer Outrider is left alone; a server is never migrated
  silently.
* **SQL lives in `.sql` files**, is loaded by name, and a test prepares every one of them.
* **What goes wrong here is one sentence** (`Misconfigured` or `Unavailable`), with no secret in it.
"""
