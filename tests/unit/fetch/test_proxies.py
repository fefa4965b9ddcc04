"""Which proxy carries the next request."""

from outrider.fetch.proxies import Rotation

A, B, C = "http://a:1", "http://b:1", "socks5://c:1"


def choices(rotation, domains, now=0.0):
    return [rotation.choose(domain, now) for domain in domains]


def test_proxies_take_turns_whatever_the_domain():
    assert choices(Rotation((A, B, C), rest_s=300), ["x", "x", "y", "x"]) == [A, B, C, A]


def test_a_failing_proxy_rests_and_comes_back():
    rotation = Rotation((A, B), rest_s=300)
    rotation.failed(A, now=0)

    assert choices(rotation, "xyz", now=299.9) == [B, B, B]
    assert set(choices(rotation, "xy", now=300)) == {A, B}


def test_when_all_rest_the_one_that_failed_first_is_tried():
    rotation = Rotation((A, B), rest_s=300)
    rotation.failed(B, now=0)
    rotation.failed(A, now=10)

    assert choices(rotation, "xy", now=20) == [B, B]


def test_a_pool_keeps_a_domain_on_its_proxy_for_a_while():
    rotation = Rotation((A, B), rest_s=300, sticky_s=600)

    assert choices(rotation, ["x", "y", "x", "y"]) == [A, B, A, B]
    assert choices(rotation, ["y", "x"], now=599) == [B, A]
    assert choices(rotation, ["y", "x"], now=600) == [A, B]


def test_a_pool_moves_a_domain_off_a_failing_proxy():
    rotation = Rotation((A, B), rest_s=300, sticky_s=600)
    assert rotation.choose("x", 0) == A

    rotation.failed(A, now=1)

    assert choices(rotation, ["x", "x"], now=2) == [B, B]


def test_a_pool_forgets_domains_rather_than_grow():
    rotation = Rotation((A, B), rest_s=300, sticky_s=600)
    assert choices(rotation, ["x", "x"]) == [A, A]

    for n in range(10_000):
        rotation.choose(f"{n}.test", 0)

    assert rotation.choose("x", 0) == B
