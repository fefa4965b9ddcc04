"""How far redirects are followed."""

from datetime import UTC, datetime

from outrider.fetch import Chain, Hop, Loop, TooMany

NOON = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)


def chain_of(*urls, max_redirects=5):
    chain = Chain.start(urls[0])
    for url in urls[1:]:
        chain = chain.follow(url, 301, NOON, max_redirects)
    return chain


def test_a_chain_remembers_each_hop_with_status_and_time():
    chain = Chain.start("http://a.test/1").follow("http://a.test/2", 302, NOON)

    assert chain.url == "http://a.test/2"
    assert chain.origin == "http://a.test/1"
    assert chain.hops == (Hop("http://a.test/1", 302, "http://a.test/2", NOON),)


def test_a_hop_to_itself_is_a_loop():
    end = chain_of("http://a.test/1", "http://a.test/1")

    assert isinstance(end, Loop)


def test_a_hop_back_to_any_earlier_address_is_a_loop_and_keeps_all_hops():
    end = chain_of("http://a.test/1", "http://a.test/2", "http://a.test/3", "http://a.test/2")

    assert isinstance(end, Loop)
    assert [hop.target[-1] for hop in end.hops] == ["2", "3", "2"]


def test_adding_a_slash_is_a_hop_and_not_a_loop():
    chain = chain_of("http://a.test/docs", "http://a.test/docs/")

    assert isinstance(chain, Chain)


def test_as_many_hops_as_allowed_are_followed_and_no_more():
    five = chain_of(*(f"http://a.test/{n}" for n in range(6)))
    six = chain_of(*(f"http://a.test/{n}" for n in range(7)))

    assert isinstance(five, Chain)
    assert five.length == 5
    assert isinstance(six, TooMany)
    assert len(six.hops) == 6


def test_no_hop_is_followed_when_none_is_allowed():
    assert isinstance(chain_of("http://a.test/1", "http://a.test/2", max_redirects=0), TooMany)


def test_a_loop_is_named_as_such_even_where_the_limit_is_reached():
    urls = [f"http://a.test/{n}" for n in range(6)]

    assert isinstance(chain_of(*urls, urls[3]), Loop)


def test_hops_on_other_hosts_count():
    chain = Chain.start("http://b.test/", origin="http://a.test/", taken=4)

    chain = chain.follow("http://b.test/1", 301, NOON)

    assert isinstance(chain, Chain)
    assert chain.length == 5
    assert isinstance(chain.follow("http://b.test/2", 301, NOON), TooMany)


def test_coming_back_to_the_origin_from_another_host_is_a_loop():
    chain = Chain.start("http://b.test/", origin="http://a.test/", taken=1)

    assert isinstance(chain.follow("http://a.test/", 301, NOON), Loop)
