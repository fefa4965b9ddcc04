"""Where a crawl starts, as people write it."""

import pytest

from outrider.cli.crawl.seeds import Seeds, read_seeds, seeds_of
from outrider.errors import InvalidInput, InvalidUrl


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("example.com", "https://example.com/"),
        ("www.example.co.uk/news?id=1", "https://www.example.co.uk/news?id=1"),
        ("localhost:8000/x", "http://localhost:8000/x"),
        ("127.0.0.1:8080", "http://127.0.0.1:8080/"),
    ],
)
def test_a_name_without_a_scheme_is_taken_for_an_address_and_said_so(written, meant):
    assert seeds_of([written]) == Seeds((meant,), (meant,))


@pytest.mark.parametrize(
    "written",
    [
        "not-a-url",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "mailto:a@example.com",
        "a b.com",
        "",
        "user@example.com",
    ],
)
def test_what_is_no_web_address_is_refused(written):
    with pytest.raises(InvalidUrl, match="cannot be crawled"):
        seeds_of([written])


def test_the_same_seed_twice_is_one_seed():
    assert seeds_of(["https://example.com", "HTTPS://EXAMPLE.com/#top"]).urls == ("https://example.com/",)


def test_a_file_of_seeds_may_have_comments_and_blank_lines(tmp_path):
    file = tmp_path / "seeds.txt"
    file.write_text("\ufeff# news\nhttps://a.example/\n\n  https://b.example/  \n")

    assert list(read_seeds(file)) == ["https://a.example/", "https://b.example/"]


@pytest.mark.parametrize(
    ("content", "why"), [(None, "cannot be read"), (b"\xff\xfe\x00", "is not a text file in UTF-8")]
)
def test_a_file_that_cannot_be_read_is_told(tmp_path, content, why):
    file = tmp_path / "seeds.txt"
    if content is not None:
        file.write_bytes(content)

    with pytest.raises(InvalidInput, match=why):
        read_seeds(file)
