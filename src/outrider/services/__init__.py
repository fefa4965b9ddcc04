"""Use cases of the command line, the API and the dashboard, independent of terminals and HTTP.

A use case is one async function. It takes a connection and typed input, runs in one transaction, and returns
a typed result or raises an error of `outrider.errors`. The caller checks permissions. Each noun has a folder.
`paging.py` is the one way to filter, sort and page; `as_json.py` turns every result into JSON.
"""
