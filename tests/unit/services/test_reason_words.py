"""Sentences of the catalogues as people read them."""

import pytest

from outrider.crawl.admission.skip_reason import SkipReason
from outrider.fetch.outcome import Failure, Refusal
from outrider.frontier.dead_reason import DeadReason, after_max_retries, unexpected_status
from outrider.frontier.retry_reason import RetryReason, http_status
from outrider.services.urls.reason_words import fault, is_broken_link, meaning, skipped

URL = "http://10.0.0.5/a"


@pytest.mark.parametrize("reason", [*DeadReason, *RetryReason, *Failure, *Refusal])
def test_every_sentence_is_shown_without_open_fields(reason: str):
    assert "{" not in fault(URL, reason)
    assert "{" not in (meaning(reason) or "{")


@pytest.mark.parametrize("reason", SkipReason)
def test_every_reason_to_skip_links_is_shown_without_open_fields(reason: SkipReason):
    shown = skipped(reason.value, depth=3, links=12)

    assert "{" not in shown
    assert "left out" not in shown


@pytest.mark.parametrize(
    ("reason", "shown"),
    [
        (
            DeadReason.BLOCKED_ADDRESS,
            "its address is not public (OUTRIDER_ALLOW_PRIVATE=10.0.0.5/32 allows it)",
        ),
        (unexpected_status(418), "the server answers 418"),
        (after_max_retries(http_status(503)), "the server answers 503"),
        (after_max_retries(Failure.TIMEOUT), "it does not answer in time"),
        ("a_reason_of_a_newer_version", "a reason of a newer version"),
    ],
)
def test_a_fault_is_shown_with_its_details(reason: str, shown: str):
    assert fault(URL, reason) == shown


def test_a_redirect_out_of_scope_names_the_command_that_follows_it():
    told = fault(URL, DeadReason.REDIRECT_OUT_OF_SCOPE, "http://b.test/")

    assert told.startswith("it redirects to http://b.test/, out of the scope of this crawl")
    assert "`outrider crawl http://b.test/`" in told


@pytest.mark.parametrize(
    ("reason", "is_broken"),
    [
        (DeadReason.NOT_FOUND, True),
        (after_max_retries(http_status(503)), True),
        (unexpected_status(418), True),
        (DeadReason.ROBOTS_BLOCKED, False),
    ],
)
def test_links_to_pages_that_fail_are_broken(reason: str, is_broken: bool):
    assert is_broken_link(reason) is is_broken


@pytest.mark.parametrize(
    ("reason", "links", "shown"),
    [
        (SkipReason.BINARY, 1, "to a file that is not a page"),
        (SkipReason.BINARY, 2, "to files that are not pages"),
        (SkipReason.INVALID, 1, "that leads to no web address"),
        (SkipReason.INVALID, 2, "that lead to no web address"),
        (SkipReason.DEPTH, 1, "beyond depth 3: raise it with --depth"),
    ],
)
def test_one_skipped_link_has_words_of_its_own(reason: SkipReason, links: int, shown: str):
    assert skipped(reason.value, depth=3, links=links) == shown
