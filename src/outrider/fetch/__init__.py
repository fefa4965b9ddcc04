"""Get one URL, safely, and say what happened.

`Fetcher.fetch` makes exactly one request and returns one value of the closed set in `outcome.py`.
It guarantees:

* **Nothing is raised** for anything a server or the network does. Only cancellation passes through.
* **One call, one request.** Redirects are not followed and nothing is sent again, not even when a kept
  connection dies under a request: the caller paces requests by its own clock and the server counts them.
  `hops.Chain` says how far to follow, and `redirects.follow_redirects` does it.
* **One deadline** over name lookup, connection, TLS, headers and body, however slowly they drip.
* **Bounded cost.** Heads, bodies on the wire, unpacked bodies and what lies between layers of encoding
  end at their limits; a body beyond them is `too_large`, never silently cut.
* **Only permitted addresses.** Every address a name has is vetted, and the one connected to is judged
  again when its socket is made, so a name that changes its mind in between gains nothing.
  SOCKS proxies are given the vetted address. An HTTP proxy looks names up for itself: we refuse what we
  see pointing inside, but what that proxy may reach is the operator's to limit.

When it fails: a `Failed` names the stage (`failure`), says whether another try may help
(`failure.is_transient`), and carries status and address as far as they were known.
A `Refused` means that no byte was sent.
"""

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
