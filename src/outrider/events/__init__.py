"""Events of sources: each change is written down with the change itself, and has its effect exactly once.

A trigger on the table of sources writes `source_event`, the **outbox**, so that nobody can change a source
and say nothing. From there an event goes two ways:

    outbox ── outbox.py ────────────────────────▶ handler      always: PostgreSQL alone is enough
       └───── publish.py ──▶ stream ── consume.py ──▶ handler  where events are on: to and from other programs

`once.py` is the door both ways lead through: an event that has been there before changes nothing.
"""
