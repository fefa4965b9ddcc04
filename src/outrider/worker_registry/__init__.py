"""The registry of worker processes: the table `worker`, which no other package writes.

It lies below `frontier/`, because a flush records its number here, and below `crawl/`, because commands list
the running workers. The processes themselves, their loops and their periodic tasks are in `workers/`.
"""
