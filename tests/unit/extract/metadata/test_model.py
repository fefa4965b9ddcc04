"""The metadata that is stored stays small, whatever a page states."""

import json

from outrider.extract import extract
from outrider.extract.metadata.model import MAX_FIELD, MAX_RAW_CHARS, MAX_RAW_OBJECTS, Metadata

STORED = {
    *("keywords", "section", "article_opinion", "article_content_tier", "twitter_card", "twitter_site"),
    *("og_type", "og_title", "og_description", "og_image", "og_image_width", "og_image_height", "og_url"),
    *("og_site_name", "intro", "category", "article_id", "image", "byline"),
    *("jsonld_headline", "jsonld_description", "jsonld_article_section", "jsonld_author"),
    *("jsonld_publisher_name", "jsonld_url", "jsonld_image_url", "jsonld_date_published"),
    *("jsonld_date_created", "jsonld_date_modified", "jsonld_word_count", "jsonld_keywords"),
    *("jsonld_schema_type", "jsonld_location"),
}


def test_every_name_is_stored_with_its_value():
    """STO-05, STO-06."""
    assert Metadata.of({name: f" {name} " for name in STORED}).to_json() == {name: name for name in STORED}


def test_values_are_cut_to_one_line_of_a_bounded_length():
    assert (
        Metadata.of({"intro": "a\x00\n b " + "x" * 100_000}).intro == ("a b " + "x" * MAX_FIELD)[:MAX_FIELD]
    )


def test_only_so_many_objects_are_kept_as_they_were_written():
    things = [{"n": n} for n in range(1000)]

    assert Metadata.of({}, things).jsonld_raw == tuple(things[:MAX_RAW_OBJECTS])


def test_an_object_that_is_too_large_is_left_out_and_the_next_is_kept():
    large, small = {"text": "x" * MAX_RAW_CHARS}, {"text": "x"}

    assert Metadata.of({}, [large, small]).jsonld_raw == (small,)


def test_a_hostile_page_has_metadata_of_a_bounded_size():
    huge = "x" * 100_000
    names = ["keywords", "article:section", "og:title", "og:image", "twitter:site"]
    metas = "".join(f"<meta property='{name}' content='{huge}'>" for name in names)
    thing = {"@type": "Article", "headline": huge, "author": [{"name": "n" * 100}] * 2_000, "image": [huge]}

    stored = extract(
        f"{metas}<script type=application/ld+json>{json.dumps(thing)}</script>".encode(), "https://a.test/"
    ).metadata.to_json()

    assert stored is not None
    assert stored.pop("jsonld_schema_type") == "Article"
    assert set(stored) == {
        *("keywords", "section", "og_title", "og_image", "twitter_site"),
        *("jsonld_headline", "jsonld_author", "jsonld_image_url"),
    }
    assert {len(value) for value in stored.values()} == {MAX_FIELD}
