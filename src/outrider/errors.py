"""The errors that Outrider raises.

    OutriderError
    ├── InvalidInput     the input cannot be used; the message says why
    │   ├── InvalidUrl
    │   └── InvalidFeed
    ├── NotFound         the named object does not exist
    ├── Conflict         the state of an object does not allow the change
    │   ├── LeaseLost
    │   └── LockLost
    ├── PreconditionFailed  the object is not what the caller last saw
    ├── Denied           the caller is not allowed to do this
    │   └── Unauthenticated  the credentials are missing or not valid
    ├── TooManyRequests  the caller must wait; the error says how long
    ├── Unavailable      a service does not answer; a later attempt may succeed
    └── Misconfigured    a setting or the machine is wrong; the message says what to do

A 404, a timeout or a robots rule is not an error but an outcome, see `fetch/outcome.py`.
"""


class OutriderError(Exception):
    """Base class of all errors here. `str(error)` is one sentence for the user."""


class InvalidInput(OutriderError):
    """The input cannot be used."""


class InvalidUrl(InvalidInput):
    """This is not a URL that can be crawled."""

    def __init__(self, url: str, why: str) -> None:
        shown = url if len(url) <= 200 else url[:200] + "…"
        super().__init__(f"{shown!r} cannot be crawled: {why}")
        self.url = url
        self.why = why


class InvalidFeed(InvalidInput):
    """This cannot be read as a feed or a sitemap."""


class NotFound(OutriderError):
    """The named object does not exist."""


class Conflict(OutriderError):
    """The state of an object does not allow the change, or another process holds it."""


class LeaseLost(Conflict):
    """Another worker holds the host now. The caller drops its result and continues."""


class LockLost(Conflict):
    """Another scheduler holds the lock of the job now. The caller drops its result and continues."""


class PreconditionFailed(OutriderError):
    """The object is not what the caller last saw."""


class Denied(OutriderError):
    """The caller is not allowed to do this."""


class Unauthenticated(Denied):
    """The caller did not prove who it is: its credentials are missing, wrong, expired or revoked."""


class TooManyRequests(OutriderError):
    """The caller made too many requests, or too many failed logins, and must wait."""

    def __init__(self, sentence: str, retry_after_s: float) -> None:
        super().__init__(sentence)
        self.retry_after_s = retry_after_s


class Unavailable(OutriderError):
    """A service does not answer; a later attempt may succeed."""


class Misconfigured(OutriderError):
    """A setting or the machine is wrong; the message says what to do."""
