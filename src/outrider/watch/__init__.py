"""Watching sources: polls of their feeds and sitemaps, and the periodic tasks around the polls.

A **channel** is a feed or sitemap of a source. Its frontier entry holds the time of the next poll, so
interval, back-off and cool-down are all stored as this one time. A poll is a visit like any other (host
lease, robots.txt, delay). `polling/handler.py` writes the result of a poll in one batch and one commit:

    the channel's row · its entry's next time · the URLs it announces · the method that saw each URL

`discovery/` finds channels, `periodic_tasks.py` lists the tasks, and `discovery_stats.py` compares the
discovery methods.
"""
