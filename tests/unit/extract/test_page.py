"""The long answer about one page."""

import pytest

from outrider.extract import content_hash, extract, near_duplicates, scan, signature

URL = "https://example.com/news/story?x=1"
PARAGRAPH = (
    "The harbour was quiet that morning, and nobody on the pier had heard the news about the ship yet. "
)
PAGE = f"""<!doctype html><html lang=en><head><meta charset=utf-8><title>Quiet harbour</title>
<base href=/base/><link rel=canonical href="/Story/?utm_source=x#top"></head>
<body><nav><a href=/menu>Menu</a></nav><article><h1>Quiet harbour</h1>
{"".join(f"<p>{number}. {PARAGRAPH * 3}</p>" for number in range(6))}
<p><a href="next#part">next</a> <a href="x/../next">again</a>
<a href="https://other.test" rel=nofollow>other</a>
</article></body></html>""".encode()


def test_links_are_normalised_unique_and_in_order_and_resolved_against_the_base():
    assert list(extract(PAGE, URL).links) == [
        "https://example.com/menu",
        "https://example.com/base/next",
        "https://other.test/",
    ]


def test_a_page_that_points_into_itself_links_to_itself():
    assert list(extract(b"<a href=#1>1</a><a href=/x>x</a><a href=#2>2</a>", URL).links) == [
        URL,
        "https://example.com/x",
    ]


def test_alternates_are_normalised_and_no_links():
    html = b"<link rel=alternate hreflang=de href=/de/><link rel=alternate href=/de><link rel=next href=?p=2>"
    page = extract(html + b"<a href=/x>x</a>", URL)

    assert list(page.alternates) == ["https://example.com/de"]
    assert list(page.links) == ["https://example.com/x"]


def test_the_canonical_address_is_normalised():
    assert extract(PAGE, URL).canonical_url == "https://example.com/Story"


@pytest.mark.parametrize("href", ["", "http://[", "mailto:x@h", "https://user:pw@h/"])
def test_a_canonical_address_that_cannot_be_one_is_ignored(href):
    assert extract(f"<link rel=canonical href='{href}'>".encode(), URL).canonical_url is None


def test_hash_and_signature_are_those_of_the_main_text():
    page = extract(PAGE, URL)

    assert PARAGRAPH.strip() in page.text
    assert page.content_hash == content_hash(page.text)
    assert page.signature == signature(page.text)
    assert near_duplicates(page.signature, extract(PAGE.replace(b"Menu", b"Other"), URL).signature)


def test_the_long_answer_agrees_with_the_fast_path():
    page, fast = extract(PAGE, URL), scan(PAGE, URL)

    assert (page.title, page.description, page.language) == (fast.title, fast.description, fast.language)
    assert (page.noindex, page.nofollow, page.charset) == (fast.noindex, fast.nofollow, fast.charset)


def test_extraction_leaves_nothing_behind():
    assert extract(PAGE, URL) == extract(PAGE, URL)


def test_an_empty_page_is_an_empty_answer():
    page = extract(b"", URL)

    assert (page.title, page.text, list(page.links), page.published_at) == (None, "", [], None)
