"""Use cases on a server elsewhere, called over its HTTP API.

    server = Server(RemoteOptions(url, token))
    page = await jobs.list_jobs(server, wanted, page, source)

Each function takes a `Server` in place of a connection, and returns the result type of the use case of the
same name in `services/`, read back by `from_json`. Errors of the API become those of `outrider.errors`, so a
command prints the same text, JSON and exit code, wherever its database is.
"""
