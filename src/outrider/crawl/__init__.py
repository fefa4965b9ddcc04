"""Visit one claimed entry, from robots rules to completion; start reading at `visit.py`.

`lane.py` walks a leased host through its entries, `turn.py` decides how long a lane waits for its host,
`visit.py` takes one entry through the steps that every kind of request shares, and the handler of
its kind (`pages/handler.py`) turns the answer into rows. A `Batch` collects the results and the `Flusher`
writes them. The flusher releases the host after the commit.

These modules hold pure policy: `decide.py` (outcome to decision), `host_policy.py` (outcome to the
host's state), `admission/` (is this URL worth a request), `pages/absorb.py` (what a page adds to the
documents and to the queue). `robots/` loads the rules of a host before a visit, `limits/` bounds what all
workers together may fetch, and `politeness/` keeps the pace and the lease of a host, for lanes and for
every request outside a lane.

A lane never raises for what a server does. It releases its host when the next request is too far off,
when the lease can no longer cover a request, and when the worker stops. Entries that the lane did not
visit stay queued.
"""
