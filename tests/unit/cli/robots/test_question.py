"""Which robots.txt is meant by what people type."""

import pytest

from outrider.cli.robots.command import Question, question_of


@pytest.mark.parametrize(
    ("host", "path", "question"),
    [
        ("example.com", None, Question("example.com", "https://example.com", False, None)),
        ("example.com", "a/b", Question("example.com", "https://example.com", False, "/a/b")),
        ("http://example.com/x", "/", Question("example.com", "http://example.com", True, "/")),
        ("127.0.0.2:8080", None, Question("127.0.0.2", "http://127.0.0.2:8080", True, None)),
        ("intranet", None, Question("intranet", "http://intranet", False, None)),
    ],
)
def test_a_host_an_origin_and_a_path_are_told_apart(host, path, question):
    assert question_of(host, path) == question
