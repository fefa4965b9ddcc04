"""A name is gone only if DNS works."""

import pytest

from outrider.links.dns import NameAnswer, is_name_gone


@pytest.mark.parametrize(
    ("name", "answers", "gone"),
    [
        ("shop.example.com", {"shop.example.com": NameAnswer.UNKNOWN, "com.": NameAnswer.EXISTS}, True),
        ("shop.co.uk", {"shop.co.uk": NameAnswer.UNKNOWN, "co.uk.": NameAnswer.EXISTS}, True),
        ("shop.com", {"shop.com": NameAnswer.UNKNOWN, "com.": NameAnswer.UNKNOWN}, False),
        ("shop.com", {"shop.com": NameAnswer.UNKNOWN, "com.": NameAnswer.TROUBLE}, False),
        ("shop.com", {"shop.com": NameAnswer.TROUBLE, "com.": NameAnswer.EXISTS}, False),
        ("shop.com", {"shop.com": NameAnswer.EXISTS, "com.": NameAnswer.EXISTS}, False),
        ("shop.invalid", {}, True),
        ("localhost", {}, False),
        ("10.0.0.1", {}, False),
    ],
)
async def test_a_name_is_gone_if_its_suffix_is_known(name, answers, gone):
    assert await is_name_gone(name, lambda asked: answers[asked]) is gone
