"""How far redirects are followed."""

from datetime import UTC, datetime

import pytest

from outrider.fetch import Chain, ChainEnd, Exchange, Fetched, Hop, HopLimits, Redirected
from outrider.fetch.hops import REDIRECT_STATUSES, SAME_METHOD_STATUSES

NOON = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)


def chain_of(*urls, most=5):
    chain = Chain.start(urls[0])
    for url in urls[1:]:
        chain = chain.follow(url, 301, NOON, HopLimits(most))
    return chain


def redirect(url, status=301):
    return Redirected(Exchange("http://a.test/1", status, {}, 0, 10), url, url, follow=url)


def test_a_chain_remembers_each_hop_with_status_and_time():
    chain = Chain.start("http://a.test/1").after(redirect("http://a.test/2", 302), HopLimits(), NOON)

    assert chain.url == "http://a.test/2"
    assert chain.origin == "http://a.test/1"
    assert chain.hops == (Hop("http://a.test/1", 302, "http://a.test/2", NOON),)


def test_a_hop_to_itself_is_a_loop():
    end = chain_of("http://a.test/1", "http://a.test/1")

    assert end.reason == "redirect_loop"


def test_a_hop_back_to_any_earlier_address_is_a_loop_and_keeps_all_hops():
    end = chain_of("http://a.test/1", "http://a.test/2", "http://a.test/3", "http://a.test/2")

    assert end.reason == "redirect_loop"
    assert [hop.target[-1] for hop in end.hops] == ["2", "3", "2"]


def test_adding_a_slash_is_a_hop_and_not_a_loop():
    chain = chain_of("http://a.test/docs", "http://a.test/docs/")

    assert isinstance(chain, Chain)


def test_as_many_hops_as_allowed_are_followed_and_no_more():
    five = chain_of(*(f"http://a.test/{n}" for n in range(6)))
    six = chain_of(*(f"http://a.test/{n}" for n in range(7)))

    assert isinstance(five, Chain)
    assert five.length == 5
    assert six.reason == "too_many_redirects"
    assert len(six.hops) == 6


def test_no_hop_is_followed_when_none_is_allowed():
    assert chain_of("http://a.test/1", "http://a.test/2", most=0).reason == "too_many_redirects"


def test_a_loop_is_named_as_such_even_where_the_limit_is_reached():
    urls = [f"http://a.test/{n}" for n in range(6)]

    assert chain_of(*urls, urls[3]).reason == "redirect_loop"


def test_hops_on_other_hosts_count():
    chain = Chain.start("http://b.test/", origin="http://a.test/", taken=4)

    chain = chain.follow("http://b.test/1", 301, NOON, HopLimits())

    assert isinstance(chain, Chain)
    assert chain.length == 5
    assert chain.follow("http://b.test/2", 301, NOON, HopLimits()).reason == "too_many_redirects"


def test_coming_back_to_the_origin_from_another_host_is_a_loop():
    chain = Chain.start("http://b.test/", origin="http://a.test/", taken=1)

    assert chain.follow("http://a.test/", 301, NOON, HopLimits()).reason == "redirect_loop"


def test_without_following_the_chain_ends_at_the_first_redirect():
    end = Chain.start("http://a.test/1").after(redirect("http://a.test/2"), HopLimits(follow=False), NOON)

    assert end == ChainEnd("redirect_not_followed", ())


@pytest.mark.parametrize("status", sorted(REDIRECT_STATUSES))
def test_a_form_is_sent_again_only_where_the_redirect_keeps_the_method(status):
    limits = HopLimits(statuses=SAME_METHOD_STATUSES)

    step = Chain.start("http://a.test/1").after(redirect("http://b.test/", status), limits, NOON)

    assert isinstance(step, Chain) is (status in (307, 308))


def test_an_answer_that_is_no_redirect_ends_the_chain_without_a_reason():
    chain = chain_of("http://a.test/1", "http://a.test/2")
    page = Fetched(Exchange("http://a.test/2", 200, {}, 0, 10), b"", content_type=None)

    assert chain.after(page, HopLimits(), NOON) == ChainEnd(None, chain.hops)


def test_a_redirect_without_a_usable_target_ends_the_chain_without_a_reason():
    nowhere = Redirected(
        Exchange("http://a.test/1", 301, {}, 0, 10), "mailto:a@b", None, why="no web address"
    )

    assert Chain.start("http://a.test/1").after(nowhere, HopLimits(), NOON) == ChainEnd(None, ())
