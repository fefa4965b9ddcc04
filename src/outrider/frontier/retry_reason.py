"""The catalogue of retry reasons: the values of `url.reason` for entries that wait to be tried again.

The names of failures (`fetch/outcome.py`) and of failed polls (`feeds/poll_errors.py`) are retry reasons.
So are `forbidden` and `robots_blocked` of `dead_reason.py`, where the entry waits before it is given up.
"""

from outrider.described import DescribedName


class RetryReason(DescribedName):
    """Why an entry waits, where the reason is one fixed name."""

    HOST_DOWN = "host_down", "the host keeps failing and is left alone for a while"
    HOST_BUSY = "host_busy", "another worker or command is talking to the host"
    REDIRECT_UNCONFIRMED = (
        "redirect_unconfirmed",
        "it redirects to {target} for now, and what was fetched before is kept",
    )


class RetryReasonPrefix(DescribedName):
    """How a retry reason begins that ends with a variable part."""

    HTTP_STATUS = "http_", "the server answers {status}"


def http_status(status: int) -> str:
    """The retry reason of an entry whose server answers an error that may pass."""
    return f"{RetryReasonPrefix.HTTP_STATUS}{status}"
