"""These numbers are in people's databases: a failure here means that every stored hash has changed."""

from outrider.urls import UrlKey, host_id_of, key_of, url_hash


def test_the_hash_is_the_sha256_of_the_url():
    assert (
        url_hash("http://example.com/") == "2a1b402420ef46577471cdc7409b0fa2c6a204db316e59ade2d805435489a067"
    )
    assert url_hash("http://example.com/A?B=ä") == (
        "79d41a3a44807d809c32e7e55c074a4b8c594839bef5ec2ba320386ca8746131"
    )


def test_the_key_is_the_host_and_half_the_hash():
    assert key_of("http://example.com/") == UrlKey(
        host_id=host_id_of("example.com"), hash="2a1b402420ef46577471cdc7409b0fa2"
    )


def test_the_host_id_is_a_signed_64_bit_number():
    assert host_id_of("example.com") == -6_667_114_193_848_649_307
    assert host_id_of("b") == 4_477_677_635_727_087_946
