"""Locks that expire, and the election of a leader, on PostgreSQL, on one Redis or on several (Redlock).

    store = open_store(settings.coordination, settings.redis, connection)
    async with Lock(store, "rebuild").hold():              # at most one process at a time
        …
    election = Election(connection, store, "housekeeping", holder=name, options=settings.coordination)
    await LeaderTasks(election, tasks_for).run()            # the tasks run only while this process leads

A process that is stopped cannot know that its lock has expired. So a leader writes like this, and the
database refuses the write of a leader that was replaced:

    async with db.transaction():
        await fenced(db, term)                             # raises StaleLeader
        …

No part of it lives in a session of PostgreSQL, so it works through a pooler. See
docs/explain/coordination.md.
"""
