"""What a page says it is."""

import pytest

from outrider.extract.text.kind import TextKind, kind_of
from outrider.extract.tree.parse import parse

NEWS = '<script type="application/ld+json">{"@graph": [{"@type": ["NewsArticle"]}]}</script>'
SHOP = '<script type="application/ld+json">{"@type": "Product", "review": {"@type": "Article"}}</script>'
FAQ = (
    '<script type="application/ld+json">{"@type": "FAQPage", "mainEntity": [{"@type": "Question"}]}</script>'
)
RECIPE = '<script type="application/ld+json">{"@type": "Recipe"}</script>'


@pytest.mark.parametrize(
    ("html", "url", "kind"),
    [
        pytest.param("", "https://a.example/", TextKind.UNKNOWN, id="nothing said"),
        pytest.param("<meta property=og:type content=Article>", "", TextKind.ARTICLE, id="Open Graph"),
        pytest.param(
            "<meta property=og:type content=website>", "", TextKind.UNKNOWN, id="Open Graph without news"
        ),
        pytest.param(NEWS, "", TextKind.ARTICLE, id="JSON-LD"),
        pytest.param(SHOP, "", TextKind.PRODUCT, id="a product with a review is a product"),
        pytest.param(NEWS + RECIPE, "", TextKind.RECIPE, id="an article with a recipe is a recipe"),
        pytest.param(
            SHOP, "https://forum.example/t/1", TextKind.PRODUCT, id="the page knows better than its address"
        ),
        pytest.param(
            NEWS, "https://a.example/threads/1", TextKind.FORUM, id="a board that calls its threads articles"
        ),
        pytest.param(NEWS, "https://a.example/topics/1", TextKind.ARTICLE, id="a newspaper has topics"),
        pytest.param(FAQ, "", TextKind.UNKNOWN, id="questions that a site asks itself"),
        pytest.param("", "https://a.example/forum/viewtopic.php?t=1", TextKind.FORUM, id="a board's address"),
        pytest.param("", "https://community.a.example/x", TextKind.FORUM, id="a board's host"),
        pytest.param(
            "", "https://a.example/news/forumla-one", TextKind.UNKNOWN, id="a word that begins alike"
        ),
        pytest.param(
            '<script type="application/ld+json">{"@type": </script>', "", TextKind.UNKNOWN, id="broken JSON"
        ),
    ],
)
def test_the_kind_is_read_from_data_and_address(html: str, url: str, kind: TextKind) -> None:
    assert kind_of(parse(html.encode()), url, ()) is kind


@pytest.mark.parametrize(
    ("itemtype", "kind"),
    [("QAPage", TextKind.FORUM), ("Product", TextKind.PRODUCT), ("Person", TextKind.UNKNOWN)],
)
def test_the_kind_is_read_from_microdata(itemtype: str, kind: TextKind) -> None:
    assert kind_of(parse(b""), "", [itemtype]) is kind
