"""Watching sources: their feeds and sitemaps as entries of the frontier, and what keeps them going.

A **channel** is a feed or sitemap of a source. Its entry in the frontier says when it is polled next, so
interval, back-off and cool-down are one thing: the entry's time. A poll is a visit like any other (host
lease, robots.txt, delay); `polls/handler.py` says what follows from its answer, in one batch and one commit:

    the channel's row · its entry's next time · the URLs it announces · by which way each was seen

`discovery/` finds channels, `duties.py` lists what is done besides, and `ladder.py` compares the ways.
"""
