"""From hrefs to addresses."""

from outrider.extract.links import base_of, normalized_link, normalized_links

PAGE = "https://example.com/a/b"


def test_links_are_resolved_normalised_and_unique_in_order():
    hrefs = ["c", "/C/../d?b=2&a=1#top", "https://EXAMPLE.com/a/c", "//other.test", "c"]

    assert normalized_links(hrefs, PAGE) == [
        "https://example.com/a/c",
        "https://example.com/d?a=1&b=2",
        "https://other.test/",
    ]


def test_what_is_no_web_address_is_left_out():
    hrefs = [
        "mailto:a@example.com",
        "java\nscript:alert(1)",
        "http://[",
        "http://user:pw@h/",
        "data:,x",
        "",
        "https://h/",
    ]

    assert normalized_links(hrefs, PAGE) == ["https://h/"]


def test_a_canonical_address_that_is_none_is_none():
    assert normalized_link("http://[", PAGE) is None
    assert normalized_link(None, PAGE) is None


def test_the_base_is_the_first_that_leads_into_the_web():
    assert base_of([], PAGE) == PAGE
    assert base_of(["javascript:1", "/dir/", "/other/"], PAGE) == "https://example.com/dir/"
    assert base_of(["data:,x"], PAGE) == PAGE
