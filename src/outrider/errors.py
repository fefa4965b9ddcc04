"""Everything Outrider raises on purpose.

    OutriderError
    ├── InvalidInput     what you gave us cannot be used; the message says why
    │   ├── InvalidUrl
    │   └── InvalidFeed
    ├── NotFound         the thing you named is not here
    ├── Conflict         somebody else got there first
    │   └── LeaseLost
    ├── Denied           you may not do this
    ├── Unavailable      a part we need is not answering; trying later may help
    └── Misconfigured    a setting or the machine is wrong; the message says what to do

What a web server does to us (a 404, a timeout, a robots rule) is not an error:
it is an outcome, see `fetch/outcome.py`.
"""


class OutriderError(Exception):
    """Base of the tree. `str()` of it is one sentence fit for a person."""


class InvalidInput(OutriderError):
    """What you gave us cannot be used."""


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
    """The thing you named is not here."""


class Conflict(OutriderError):
    """Somebody else got there first."""


class LeaseLost(Conflict):
    """Someone else holds this host now. Drop the result and carry on."""


class Denied(OutriderError):
    """You may not do this."""


class Unavailable(OutriderError):
    """A part we need is not answering; trying later may help."""


class Misconfigured(OutriderError):
    """A setting or the machine is wrong; the message says what to do."""
