"""The registry of worker processes: the table `worker`, which no other room writes.

It lies below `frontier/`, because a flush records its number there, and below `crawl/`, because commands ask
which workers run. The processes themselves, their loops and their periodic tasks are in `workers/`.
"""
