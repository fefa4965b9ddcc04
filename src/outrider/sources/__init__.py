"""What people asked us to watch: a site, how to watch it, and which feeds and sitemaps announce its pages.

A source is never deleted. Disabled, its queued URLs wait; removed, it also gives up its name, its hosts and
its channels, and the row stays because documents and history name it. Adding the same address again wakes
that row, so what it had learned comes back with it.

What a person may ask for is read in one place (`wishes`), whether it comes from the command line, a row of
a spreadsheet or an OPML file; what follows from it is written in one place (`watch/registry.py`).
"""
