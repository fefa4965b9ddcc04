"""Use cases: what the command line, the API and the dashboard do, without a terminal or a request in sight.

A use case is one async function. It takes a connection and typed input, runs in one transaction, and returns
a typed result or raises an error of `outrider.errors`. The caller has decided whether it is allowed.
`paging.py` is the one way to filter, sort and page; `as_json.py` turns every result into JSON.
"""
