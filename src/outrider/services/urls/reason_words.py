"""The sentences of the catalogues, with their fields filled in for one URL or one crawl. Pure."""

from itertools import chain

from outrider.crawl.admission.skip_reason import SkipReason
from outrider.fetch.outcome import Failure, Refusal
from outrider.frontier.dead_reason import DeadReason, DeadReasonPrefix
from outrider.frontier.retry_reason import RetryReason, RetryReasonPrefix
from outrider.urls import host_of
from outrider.wording import words

_SENTENCES = {each.value: each.sentence for each in chain(Failure, Refusal, RetryReason, DeadReason)}
_WITH_STATUS = (DeadReasonPrefix.UNEXPECTED_STATUS, RetryReasonPrefix.HTTP_STATUS)
_ANY_NETWORK = "the network of that address"

_BROKEN = (
    DeadReason.NOT_FOUND,
    DeadReason.GONE,
    DeadReason.FORBIDDEN,
    DeadReason.REDIRECT_LOOP,
    DeadReason.TOO_MANY_REDIRECTS,
    DeadReasonPrefix.UNEXPECTED_STATUS,
    DeadReasonPrefix.MAX_RETRIES,
)


def is_broken_link(reason: str) -> bool:
    """Whether the link is broken, so that the owner of the linking page can repair it."""
    return reason.startswith(_BROKEN)


_OF_ONE_LINK = {
    SkipReason.INVALID: "that leads to no web address",
    SkipReason.BINARY: "to a file that is not a page",
}


def fault(url: str, reason: str, leads_to: str | None = None) -> str:
    """Why a URL could not be fetched, as a phrase after its address and a colon."""
    reason = reason.removeprefix(DeadReasonPrefix.MAX_RETRIES)
    return _sentence(reason, _network(url), leads_to) or words(reason)


def meaning(reason: str) -> str | None:
    """The explanation of a stored name; None if no catalogue has it."""
    return _sentence(reason, _ANY_NETWORK)


def skipped(reason: str, depth: int, links: int) -> str:
    """Why so many links were not followed, as a phrase after their number."""
    if reason not in list(SkipReason):
        return f"left out ({words(reason)})"
    if links == 1 and reason in _OF_ONE_LINK:
        return _OF_ONE_LINK[SkipReason(reason)]
    return SkipReason(reason).sentence.format(depth=depth)


def _sentence(reason: str, network: str, leads_to: str | None = None) -> str | None:
    for prefix in _WITH_STATUS:
        if reason.startswith(prefix):
            return prefix.sentence.format(status=reason.removeprefix(prefix))
    sentence = _SENTENCES.get(reason)
    if sentence is None:
        return None
    return sentence.format(
        network=network, target=leads_to or "another address", target_url=leads_to or "URL"
    )


def _network(url: str) -> str:
    host = host_of(url)
    if host.startswith("["):
        return f"{host.strip('[]')}/128"
    is_address = host.replace(".", "").isdigit()
    return f"{host}/32" if is_address else _ANY_NETWORK
