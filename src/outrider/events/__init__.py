"""Events: a log that every package can write and readers follow, and the outbox of sources.

The **log** (`log.py`) is written in the transaction that makes a change. Readers follow it by position:

    write_events ──▶ event_log ── read_events / follow_events ──▶ streams, webhooks, alerts
                        └──────── notify.py ──▶ listen.py         wakes readers; they also poll

The **outbox** `source_event` is written by a trigger with every change of a source. Each of its events is
handled exactly once, on one of two paths, and a failing event does not stop the others:

    outbox ── outbox.py ────────────────────────▶ handler      always: PostgreSQL alone is enough
       ├───── publish.py ──▶ stream ── consume.py ──▶ handler  where events are on: to and from other programs
       └───── a trigger copies it to the log

`once.py` skips events that were handled before.
"""
