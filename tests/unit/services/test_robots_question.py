"""Which robots.txt is meant by what people type."""

import pytest

from outrider.services.hosts.robots import RobotsQuestion, question_of


@pytest.mark.parametrize(
    ("given", "path", "host", "origin", "is_exact", "asked"),
    [
        ("example.com", None, "example.com", "https://example.com", False, None),
        ("example.com", "a/b", "example.com", "https://example.com", False, "/a/b"),
        ("http://example.com/x", "/", "example.com", "http://example.com", True, "/"),
        ("127.0.0.2:8080", None, "127.0.0.2", "http://127.0.0.2:8080", True, None),
        ("intranet", None, "intranet", "http://intranet", False, None),
    ],
)
def test_a_host_an_origin_and_a_path_are_told_apart(given, path, host, origin, is_exact, asked):
    assert question_of(given, path) == RobotsQuestion(given, host, origin, is_exact, asked)
