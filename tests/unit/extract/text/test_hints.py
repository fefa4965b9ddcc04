"""What the names of elements say about them."""

import pytest

from outrider.extract.text.hints import RegionRole, hint_of, is_label


@pytest.mark.parametrize(
    ("names", "role"),
    [
        ("", RegionRole.PLAIN),
        ("entry-content", RegionRole.BODY),
        ("entryContent", RegionRole.BODY),
        ("story_body", RegionRole.BODY),
        ("c-article__body", RegionRole.BODY),
        ("field field--name-body", RegionRole.BODY),
        ("post-31 post type-post tag-newsletter category-menus", RegionRole.BODY),
        ("site-content", RegionRole.CONTENT),
        ("breadcrumbs", RegionRole.BOILERPLATE),
        ("relatedPosts", RegionRole.SECONDARY),
        ("related_posts", RegionRole.SECONDARY),
        ("nav2", RegionRole.BOILERPLATE),
        ("main-navigation", RegionRole.BOILERPLATE),
        ("ad", RegionRole.SECONDARY),
        ("readmore", RegionRole.PRESENTATION),
        ("comment-form", RegionRole.BOILERPLATE),
        ("hidden-print", RegionRole.PRESENTATION),
        ("product-carousel", RegionRole.PRESENTATION),
        ("message-userContent", RegionRole.BODY),
        ("message-user", RegionRole.BOILERPLATE),
        ("visually-hidden", RegionRole.BOILERPLATE),
        ("comments", RegionRole.COMMENTS),
        ("byline", RegionRole.META),
        ("news-card", RegionRole.TEASER),
        ("onetrust-banner-sdk", RegionRole.CONSENT),
        ("cookie-notice", RegionRole.CONSENT),
    ],
)
def test_a_class_tells_what_a_part_is_for(names: str, role: RegionRole) -> None:
    assert hint_of("div", names, "", "")[0] is role


@pytest.mark.parametrize(
    "names",
    [
        pytest.param("has-sidebar", id="a layout with a sidebar is no sidebar"),
        pytest.param("wrapper--with-ads", id="a modifier of the block"),
        pytest.param("navy", id="a word that begins like another"),
        pytest.param("shareholder", id="a word that holds another"),
        pytest.param("gradient-loading", id="letters of an advertisement inside a word"),
        pytest.param("elementor-widget-wrap", id="the vocabulary of a page builder"),
        pytest.param("field-label-hidden", id="a field whose label is hidden"),
        pytest.param("md:hidden", id="a look on some screens"),
        pytest.param(
            "cmp-container", id="a component of a content management system, not of a cookie banner"
        ),
        pytest.param("trusted-by", id="a word that begins like the name of a company"),
        pytest.param("admonition seealso", id="a box of a manual that says what to see also"),
    ],
)
def test_a_class_that_only_sounds_like_boilerplate_is_plain(names: str) -> None:
    assert hint_of("div", names, "", "")[0] is RegionRole.PLAIN


@pytest.mark.parametrize(
    ("tag", "names", "aria", "itemprop", "role"),
    [
        pytest.param(
            "nav", "entry-content", "", "", RegionRole.BOILERPLATE, id="a nav is one whatever its class"
        ),
        pytest.param("div", "", "complementary", "", RegionRole.BOILERPLATE, id="a landmark"),
        pytest.param("div", "", "main", "", RegionRole.CONTENT, id="the main landmark"),
        pytest.param("div", "", "", "articleBody", RegionRole.BODY, id="microdata"),
        pytest.param("article", "date", "", "", RegionRole.CONTENT, id="an article named after its date"),
        pytest.param("article", "teaser", "", "", RegionRole.TEASER, id="an article that is a teaser"),
        pytest.param("main", "sidebar-left", "", "", RegionRole.CONTENT, id="main is main"),
    ],
)
def test_tags_landmarks_and_microdata_count(
    tag: str, names: str, aria: str, itemprop: str, role: RegionRole
) -> None:
    assert hint_of(tag, names, aria, itemprop)[0] is role


@pytest.mark.parametrize(
    ("tag", "names", "word"),
    [("div", "p-body-sidebar", "sidebar"), ("div", "overlayDark", "overlay"), ("nav", "overlay", "<nav>")],
)
def test_the_word_that_tells_the_role_is_told(tag: str, names: str, word: str) -> None:
    assert hint_of(tag, names, "", "")[1] == word


@pytest.mark.parametrize(
    ("names", "expected"),
    [("btn btn-primary", True), ("headerlink", True), ("reference internal", False), ("", False)],
)
def test_labels_inside_a_line_are_known(names: str, expected: bool) -> None:
    assert is_label(names) is expected
