"""Sources: a site to watch, how to watch it, and which feeds and sitemaps announce its pages.

The row of a source is never deleted, because documents and history refer to it. The queued URLs of a disabled
source wait. A removed source also gives up its name, its hosts and its channels. Adding the same address
again revives the row with its history.

`source_changes.py` reads the fields of a source, from the command line, a row of a spreadsheet or an OPML
file. `watch/source_service.py` writes them.
"""
