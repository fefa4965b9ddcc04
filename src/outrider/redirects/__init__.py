"""Redirects of sites that people own, and the monitor of their broken URLs.

`table.py` has the rules, and nothing else decides: no redirect leads from a live path, and no redirect leads
to the source of another one. So every answer is one hop, there is no loop, and both are checked by looking up
one path by its source and one by its target, however many redirects there are.

`store.py` reads the neighbourhood of a change from PostgreSQL, applies the rules, and writes what changed
with the audit, all while it holds the row of the site in `site_redirect_table`. So two changes of one site
cannot form a loop together, and the version in that row numbers the changes in the order of their commits.

`asgi.py`, `wsgi.py` and `django.py` answer visitors from memory. They import only what they need: no crawler.
"""
