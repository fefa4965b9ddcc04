"""Live streams over HTTP, as server-sent events (SSE).

    event log ──▶ EventFeed ──┐
    run logs  ──▶ LogFeed ────┼──▶ Topic ──▶ StreamClient ──▶ EventStream ──▶ browser
    queries   ──▶ StatusFeed ─┘

A **feed** follows one source for the whole process, however many clients it has. A **topic** holds the newest
frames of a feed, at most a thousand. A **client** reads the topic at its own pace; a client that falls more
than a hundred frames behind is disconnected, and the others notice nothing. What a client missed is read from
the database until the topic has the rest, so that a stream continues after any position that is still kept,
in any process. `streams.py` is the broker: it counts the clients of the process and closes them in the end.
"""
