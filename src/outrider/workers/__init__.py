"""The processes: what actually runs, and how it survives.

`process.py` is a worker's process: one event loop around one `Worker`, which claims hosts, runs a
lane for each and beats once a second. `supervisor.py` keeps so many of them alive and frees the
hosts of those that died. `session.py` is one crawl from its seeds to its end, with the database
kept up on the way.

Stop a worker with SIGTERM: it takes no more hosts, lets the requests under way finish, writes and
leaves. Kill it: its hosts come back by themselves. Kill the supervisor: its workers notice within a
second and stop as if asked to.
"""
