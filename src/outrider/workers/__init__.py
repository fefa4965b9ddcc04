"""The processes of a crawl: workers, their supervisor, and the session around both.

`process.py` is a worker's process: one event loop around one `Worker`, which claims hosts, runs a
lane for each and sends a heartbeat once a second. `supervisor.py` keeps a number of workers alive and
frees the hosts of dead workers. `session.py` is one crawl from its seeds to its end; it also restarts
the embedded database.

A worker that gets SIGTERM claims no more hosts, finishes the requests under way, writes its results
and exits. The hosts of a killed worker are freed by recovery or by the end of their leases. When the
supervisor is killed, its workers notice within a second and stop as after SIGTERM.
"""
