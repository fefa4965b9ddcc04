"""Signed requests that tell the system of an owner to replace links in its content (DLM-16).

`apply` writes a delivery in its own transaction. The leader of the schedulers sends what is due, through the
fetcher and the host leases of the crawler. A delivery is sent at least once, always with the same number, and
is dead after a bounded number of attempts.
"""
