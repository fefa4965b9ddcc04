"""What happened: a log that any part writes and readers follow, and the outbox of sources.

The **log** (`log.py`) is written in the transaction that makes a change. Readers follow it by position:

    write_events ──▶ event_log ── read_events / follow_events ──▶ streams, webhooks, alerts
                        └──────── notify.py ──▶ listen.py         wakes readers; they also look by themselves

The **outbox** `source_event` is written by a trigger with every change of a source. Each of its events has
its effect exactly once, by one of two ways, and a failing one does not stop the others:

    outbox ── outbox.py ────────────────────────▶ handler      always: PostgreSQL alone is enough
       ├───── publish.py ──▶ stream ── consume.py ──▶ handler  where events are on: to and from other programs
       └───── a trigger copies it to the log

`once.py` guards the handler: an event that it had before changes nothing.
"""
