"""The dashboard: pages made on the server from the results of use cases, readable without JavaScript.

A page module holds its routes and one frozen dataclass for each page: all that its template may use.
`rendering.py` renders, `pages.py` declares routes, `templates/_parts/` holds what several pages share.
"""
