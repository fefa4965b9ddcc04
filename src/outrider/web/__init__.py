"""Everything HTTP: the API, its streams and the dashboard. Each handler calls one use case of `services/`.

`server.py` builds the application, `route.py` is the way of every request of the API: who asks, whether they
may, how often, in which transaction, and what the audit log keeps of it.
"""
