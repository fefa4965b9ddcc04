"""Words for the life of a URL that pages use. Pure."""

import re

from outrider.frontier.dead_reason import DeadReason
from outrider.frontier.model import History, UrlOrigin
from outrider.services.urls.explanation import ExplainedUrl
from outrider.services.urls.reason_words import meaning
from outrider.wording import words

_OPTIONS = re.compile(r" \([^()]*(?:--|`|OUTRIDER_)[^()]*\)")  # what a command would take

STATE_KINDS = {"pending": "azure", "fetched": "green", "dead": "red", "alias": "purple"}
STATE_NAMES = {"pending": "queued", "fetched": "fetched", "dead": "dead", "alias": "redirects"}
ORIGIN_WORDS = {
    UrlOrigin.MANUAL: "It was submitted by hand or by a program.",
    UrlOrigin.SPIDER: "A crawl found a link to it.",
    UrlOrigin.FEED: "A feed named it.",
    UrlOrigin.SITEMAP: "A sitemap named it.",
    UrlOrigin.DISCOVERED: "It was promoted from the discovered links.",
    UrlOrigin.REPLAY: "It was queued again with other stored pages.",
    UrlOrigin.REDIRECT: "Another address redirects to it.",
}


def state_kind(state: str) -> str:
    """The colour of a state."""
    return STATE_KINDS.get(state, "secondary")


def state_name(state: str) -> str:
    """The word of a state."""
    return STATE_NAMES.get(state, state)


def reason_words(reason: str | None) -> str:
    """A stored reason in words, with its explanation if there is one."""
    if not reason:
        return ""
    told = _OPTIONS.sub("", meaning(reason) or "")
    return f"{words(reason)}: {told}" if told else words(reason)


def request_kind(request: History) -> str:
    """How a request of the timeline is marked: good, moved or bad."""
    if request.status is not None and (200 <= request.status < 300 or request.status == 304):
        return "good"
    return "moved" if request.status is not None and 300 <= request.status < 400 else "bad"


def next_words(answer: ExplainedUrl) -> str:
    """When a URL is fetched next, for a reader with buttons instead of commands."""
    known = answer.known
    if known is None:
        return "Never, unless a link points to it or it is submitted."
    if known.state == "fetched" and known.next_fetch_at is None:
        return "Not again, unless someone asks for it or its source runs again."
    if known.state == "dead" and known.reason == DeadReason.ROBOTS_BLOCKED:
        return "When its robots.txt changes: workers look at that from time to time."
    if known.state == "dead":
        return "Not again, unless someone retries it."
    return answer.next[:1].upper() + answer.next[1:] + "."
