"""Who makes a request and what they may do: users, sessions, tokens, roles, rate limits and the audit log.

A session cookie, a bearer JWT, an API token, a stream token, the service secret and a site key all lead to
one `Principal`. Handlers look at its role and never at the way it was proven.
"""
