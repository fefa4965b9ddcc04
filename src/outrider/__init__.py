"""Outrider: a polite, durable web crawler.

One queue on PostgreSQL for everything it will ever request, one lease per
host, and decisions made in pure functions. Start reading at `crawl/visit.py`.
"""

__version__ = "0.1.0"
