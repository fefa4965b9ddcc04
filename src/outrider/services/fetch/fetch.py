"""The use case of `outrider fetch`: fetch one URL as a crawl would, without storing the page."""

from base64 import b64encode
from dataclasses import dataclass, replace
from typing import Any

from outrider.crawl.politeness.fetch_result import FetchEnding, FetchResult
from outrider.crawl.politeness.single_fetch import Limits
from outrider.errors import Conflict
from outrider.fetch import FetchOptions
from outrider.frontier.retry_reason import RetryReason
from outrider.services.fetch.polite import FetchOne


@dataclass(frozen=True, slots=True)
class FetchedUrl:
    """The answer to a request. `with_body`: the body is part of its JSON."""

    single: FetchResult
    with_body: bool = False

    def json_form(self) -> dict[str, Any]:
        """Scripts depend on these names."""
        single = self.single
        form: dict[str, Any] = {
            "ok": single.is_ok,
            "outcome": single.ending,
            "reason": single.reason,
            "status": single.status,
            "url": single.url,
            "hops": [{"url": hop.url, "status": hop.status, "target": hop.target} for hop in single.hops],
            "headers": single.headers,
            "elapsed_ms": single.elapsed_ms,
        }
        return form | {"body_b64": b64encode(single.body).decode()} if self.with_body else form


def options_within(options: FetchOptions, limits: Limits) -> FetchOptions:
    """The options of a request with these limits: its timeout bounds the name lookup, too."""
    if limits.timeout_s is None:
        return options
    return replace(options, dns_timeout_s=min(options.dns_timeout_s, limits.timeout_s))


async def fetch_url(fetch_one: FetchOne, address: str) -> FetchResult:
    """The answer to a request. A host that stays leased or rests is a refusal, not an error."""
    try:
        return await fetch_one(address)
    except Conflict as busy:
        return FetchResult(FetchEnding.REFUSED, address, 0, RetryReason.HOST_BUSY, str(busy))
