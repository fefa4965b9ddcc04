"""The important figures of a crawl, now and over time (OBS-11, OBS-12).

`figures.py` reads the figures of this moment in one statement. The leader of the schedulers stores them once
a minute (`sampling.py`): samples are kept for 7 days, then rolled up to one row a day (`store.py`). Counts
come from the counters that workers maintain, so no table of URLs is scanned.
"""
