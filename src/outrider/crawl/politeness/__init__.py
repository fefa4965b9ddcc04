"""Politeness towards hosts: one implementation for the lanes of a worker and for every other request.

`HostPace` keeps the delay of one host and applies its answers to the state of the host. `HostSession` adds
the lease. A lane uses a `HostSession` as its `Turn`. Requests outside a lane (a search for channels, a WebSub
hub, a command) go through `LeasedFetch`, which opens a `HostSession` for each host on the way. `SingleFetch`
is the same without a database.
"""
