"""Make one HTTP request safely and return its outcome.

`Fetcher.fetch` makes exactly one request and returns one value of the closed set in `outcome.py`.
It guarantees:

* **Nothing is raised** for anything a server or the network does. Only cancellation passes through.
* **One call, one request.** `fetch` follows no redirect and repeats no request, not even when a kept
  connection breaks: the caller paces requests, so it must know of each one.
  `hops.Chain` says how far to follow, and `redirects.follow_redirects` does it.
* **One deadline** over name lookup, connection, TLS, headers and body, however slow the server is.
* **Bounded cost.** Headers, bodies on the wire, decompressed bodies and the data between two layers of
  encoding have limits; a body beyond them is `too_large`, never silently cut.
* **Only permitted addresses.** Every address of a name is checked, and the address of the connection is
  checked again when its socket is created, so DNS rebinding gains nothing.
  SOCKS proxies get the checked address. An HTTP proxy resolves names itself: we refuse names that we
  see resolve to private addresses, but the operator must limit what the proxy can reach.

A `Failed` names the failure (`failure`), says whether a retry may succeed (`failure.is_transient`), and
carries the status and the address if they are known. A `Refused` means that no byte was sent.
"""

from typing import TYPE_CHECKING

from outrider.lazy import lazy_names

if TYPE_CHECKING:
    from outrider.fetch.client import Fetcher
    from outrider.fetch.guard import permits
    from outrider.fetch.hops import Chain, ChainEnd, HopLimits, RedirectPolicy
    from outrider.fetch.options import FetchOptions
    from outrider.fetch.outcome import (
        Exchange,
        Failed,
        Failure,
        Fetched,
        Hop,
        NotModified,
        Outcome,
        Redirected,
        Refusal,
        Refused,
        Rejected,
        Request,
    )
    from outrider.fetch.spool import Spool

__all__ = [
    "Chain",
    "ChainEnd",
    "Exchange",
    "Failed",
    "Failure",
    "FetchOptions",
    "Fetched",
    "Fetcher",
    "Hop",
    "HopLimits",
    "NotModified",
    "Outcome",
    "RedirectPolicy",
    "Redirected",
    "Refusal",
    "Refused",
    "Rejected",
    "Request",
    "Spool",
    "permits",
]

__getattr__ = lazy_names(
    __name__,
    {
        "client": ("Fetcher",),
        "guard": ("permits",),
        "hops": ("Chain", "ChainEnd", "HopLimits", "RedirectPolicy"),
        "options": ("FetchOptions",),
        "outcome": (
            *("Exchange", "Failed", "Failure", "Fetched", "Hop", "NotModified"),
            *("Outcome", "Redirected", "Refusal", "Refused", "Rejected", "Request"),
        ),
        "spool": ("Spool",),
    },
)
