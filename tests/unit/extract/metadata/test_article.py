"""Which object of JSON-LD is the page's article, and its fields as strings."""

import json
from typing import Any

import pytest

from outrider.extract import extract
from outrider.extract.metadata.article import article_of, flattened

URL = "https://example.com/a"


def metadata(*scripts: Any) -> dict[str, Any]:
    html = "".join(f'<script type="application/ld+json">{json.dumps(each)}</script>' for each in scripts)
    stored = extract(html.encode(), URL).metadata.to_json() or {}
    stored.pop("jsonld_raw", None)
    return stored


NAMES = ("NewsArticle", "Article", "BlogPosting", "PressRelease", "Event", "SpecialAnnouncement", "Report")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "nest",
    [
        pytest.param(lambda thing: thing, id="alone"),
        pytest.param(lambda thing: [{"@type": "WebSite", "name": "W"}, [thing]], id="in arrays"),
        pytest.param(lambda thing: {"@graph": [{"@type": "WebPage"}, thing]}, id="in a graph"),
        pytest.param(lambda thing: {"@type": "WebPage", "mainEntity": thing}, id="as the main entity"),
    ],
)
def test_an_article_is_found_wherever_it_is_nested(name, nest):
    """EXT-09."""
    assert metadata(nest({"@type": name, "headline": "H"})) == {
        "jsonld_schema_type": name,
        "jsonld_headline": "H",
    }


def test_every_field_is_flattened_to_its_name():
    """EXT-09, STO-05."""
    stated = metadata(
        {
            "@type": "NewsArticle",
            "headline": "H",
            "description": "D",
            "articleSection": ["Politics", "Local"],
            "author": [{"@type": "Person", "name": "A"}, "B"],
            "publisher": {"@type": "Organization", "name": "P", "logo": {"url": "/l"}},
            "url": "https://example.com/a",
            "image": [{"@type": "ImageObject", "name": "caption", "url": "https://example.com/i.png"}, "/2"],
            "datePublished": "2024-05-01",
            "dateCreated": "2024-04-30",
            "dateModified": "2024-05-02",
            "wordCount": 512,
            "keywords": ["a", "b"],
            "contentLocation": {"@type": "Place", "address": {"addressLocality": "Bern"}},
        }
    )

    assert stated == {
        "jsonld_schema_type": "NewsArticle",
        "jsonld_headline": "H",
        "jsonld_description": "D",
        "jsonld_article_section": "Politics, Local",
        "jsonld_author": "A, B",
        "jsonld_publisher_name": "P",
        "jsonld_url": "https://example.com/a",
        "jsonld_image_url": "https://example.com/i.png",
        "jsonld_date_published": "2024-05-01",
        "jsonld_date_created": "2024-04-30",
        "jsonld_date_modified": "2024-05-02",
        "jsonld_word_count": "512",
        "jsonld_keywords": "a, b",
        "jsonld_location": "Bern",
    }


@pytest.mark.parametrize(
    ("key", "shapes", "field", "expected"),
    [
        (
            "publisher",
            ["P", {"name": "P"}, [{"name": "P"}], {"@type": "Organization", "name": ["P"]}],
            "jsonld_publisher_name",
            "P",
        ),
        ("author", ["A", {"name": "A"}, ["A"], [{"name": "A"}]], "jsonld_author", "A"),
        (
            "image",
            ["/i", {"url": "/i"}, ["/i", "/j"], [{"contentUrl": "/i"}], {"url": ["/i"]}],
            "jsonld_image_url",
            "/i",
        ),
        ("mainEntityOfPage", ["/m", {"@id": "/m"}, {"url": "/m"}], "jsonld_url", "/m"),
        ("wordCount", [12, "12"], "jsonld_word_count", "12"),
        ("location", ["Bern", {"name": "Bern"}, {"address": "Bern"}], "jsonld_location", "Bern"),
    ],
)
def test_one_string_whatever_shape_a_value_has(key, shapes, field, expected):
    """EXT-10: one page's object and another's string cannot clash."""
    for shape in shapes:
        assert metadata({"@type": "Article", "@context": {"@vocab": 1}, key: shape})[field] == expected


def test_a_reference_to_another_object_is_replaced_by_it():
    graph = [
        {"@type": "Article", "publisher": {"@id": "#p"}, "author": [{"@id": "#a"}], "image": {"@id": "#i"}},
        {"@type": "Organization", "@id": "#p", "name": "P"},
        {"@type": "Person", "@id": "#a", "name": "A"},
        {"@type": "ImageObject", "@id": "#i", "url": "/i.png"},
    ]

    stated = metadata({"@graph": graph})

    assert (stated["jsonld_publisher_name"], stated["jsonld_author"]) == ("P", "A")
    assert stated["jsonld_image_url"] == "/i.png"


def test_a_reference_that_refers_to_itself_ends():
    thing = {"@type": "Article", "@id": "#x", "author": {"@id": "#x"}, "headline": "H"}

    assert flattened(thing, [thing])["jsonld_headline"] == "H"


ONE, TWO = ({"@type": "Article", "headline": name, "url": f"https://example.com/{name}"} for name in "ab")


@pytest.mark.parametrize(
    ("things", "expected"),
    [
        pytest.param([], None, id="none"),
        pytest.param([TWO], TWO, id="the only one"),
        pytest.param([TWO, ONE], ONE, id="the one with the address of the page"),
        pytest.param([TWO, {"@type": "Report", "headline": "c"}], None, id="a list of other pages"),
        pytest.param([TWO, {**TWO, "@type": "Report"}], TWO, id="stated twice"),
    ],
)
def test_the_article_is_that_of_the_page(things, expected):
    assert article_of(things, lambda: (None, URL)) == expected
