"""The dead-link monitor: links in the content of owned sites, checked on saving and every week.

A site saves a content field with its links. Links within the site are judged at once by what the site knows,
without a request. Each external address becomes one entry of the frontier (`EntryKind.LINK`), shared by all
fields and sites that use it, and is checked under the lease of its host like any page. Its key differs from
the key of the page at the same address, so that a page may be crawled and checked as a link independently.

The verdict comes from `links/verdict.py`, with the earlier checks of the address. The flush that completes
the entry also writes the check, the state of all links to the address, and one event for a changed verdict.
"""
