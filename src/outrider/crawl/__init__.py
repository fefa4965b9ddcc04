"""Visit one claimed entry, from robots rules to completion; start reading at `visit.py`.

`lane.py` walks a leased host through its entries, `turn.py` decides how long a lane waits for its host,
`visit.py` takes one entry through the steps that every kind of request shares, and the handler of
its kind (`pages/handler.py`) says what becomes of the answer. Results gather in a `Batch` and are
written by the `Flusher`; only then is the host given back.

Policy is pure and stands beside it: `decide.py` (outcome to decision), `host_options.py` (outcome to the
host's state), `admission/` (is this URL worth a request), `pages/absorb.py` (what of a page is
kept and queued). `robots/` is what a visit asks of a host first, `limits/` how much all workers
together may take, and `politeness/` keeps the pace and the lease of a host, for lanes and for every
request outside a lane.

A lane never raises for what a server does. It gives its host back when the turn is too far off,
when the lease can no longer cover a request, and when we are asked to stop; an entry it did not get
to is still queued.
"""
