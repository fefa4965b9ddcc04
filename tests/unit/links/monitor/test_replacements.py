"""Suggestions for dead links."""

from outrider.links.monitor.replacements import Replacement, SuggestedBy, best, similar_paths, similar_titles

URL = "http://shop.test/teapots/blue-teapot"


def test_pages_with_a_similar_last_part_are_suggested():
    pages = [URL, "http://shop.test/sale/blue-teapots", "http://shop.test/red-kettle", "http://shop.test/"]

    assert [each.url for each in similar_paths(URL, pages)] == ["http://shop.test/sale/blue-teapots"]


def test_a_short_last_part_suggests_nothing():
    assert similar_paths("http://shop.test/a/1", ["http://shop.test/b/1"]) == []


def test_pages_with_a_similar_title_are_suggested_unless_others_share_it():
    pages = [("/a", "Blue Teapots"), ("/b", "Red kettle"), ("/c", "Blue teapot"), ("/d", "blue teapot")]

    assert [each.url for each in similar_titles("Blue teapot", pages)] == ["/a"]
    assert similar_titles("Blue", [("/a", "Blue")]) == [], "too short"


def test_the_most_certain_suggestion_for_an_address_is_kept_and_never_the_address_itself():
    found = [
        Replacement("http://a.test/", 0.5, SuggestedBy.SIMILAR_PATH, "x"),
        Replacement("http://a.test/", 0.9, SuggestedBy.ALIAS, "y"),
        Replacement("http://A.test:80/", 0.8, SuggestedBy.CANONICAL, "z"),
        Replacement(URL + "/", 0.95, SuggestedBy.CANONICAL, "itself"),
    ]

    assert [(each.url, each.by) for each in best(found, URL)] == [("http://a.test/", SuggestedBy.ALIAS)]
