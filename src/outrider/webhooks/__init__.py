"""Signed requests that tell another system what happened: to the owners of sites, and to operators.

    a queue in the database ── claim ──▶ deliver.py ── signature.py ──▶ fetcher ──▶ receiver
               ▲                              │
               └─────── policy.py ◀───────────┘  accepted, sent again later, or given up

The room that owns a queue writes its deliveries in the transaction that makes the change. The leader of the
schedulers sends them through the fetcher and the host leases of the crawler. A delivery is sent at least
once, always with the same id, and is given up after a bounded number of attempts.
"""
