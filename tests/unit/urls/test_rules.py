"""A rule that changes changes hashes which are already stored, so it must not change in silence."""

from hashlib import sha256

from outrider.urls import RULES_VERSION, normalize

SAMPLES = [
    "HTTP://EXAMPLE.com:80",
    "https://bücher.example:8443/a/../b/?q#f",
    "http://h/%7e%2f%zz%%34%31//",
    "http://h/x/?b=2&a&b=1&a=&&utm_medium=m&ref=r&keep=k",
    "http://h/é?a+b=1&a%20b=2&%c3%a9",
]

DIGESTS = {1: "243b6d9a2f35c903"}


def test_a_changed_rule_has_a_new_version():
    spelled = "\n".join(normalize(sample) for sample in SAMPLES)

    assert sha256(spelled.encode()).hexdigest()[:16] == DIGESTS[RULES_VERSION], spelled
