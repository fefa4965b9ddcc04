"""What the names of elements say about them."""

import pytest

from outrider.extract.text.hints import Role, hint_of, is_label


@pytest.mark.parametrize(
    ("names", "role"),
    [
        ("", Role.PLAIN),
        ("entry-content", Role.BODY),
        ("entryContent", Role.BODY),
        ("story_body", Role.BODY),
        ("c-article__body", Role.BODY),
        ("field field--name-body", Role.BODY),
        ("post-31 post type-post tag-newsletter category-menus", Role.BODY),
        ("site-content", Role.CONTENT),
        ("breadcrumbs", Role.BOILERPLATE),
        ("relatedPosts", Role.SECONDARY),
        ("related_posts", Role.SECONDARY),
        ("nav2", Role.BOILERPLATE),
        ("main-navigation", Role.BOILERPLATE),
        ("ad", Role.SECONDARY),
        ("readmore", Role.PRESENTATION),
        ("comment-form", Role.BOILERPLATE),
        ("hidden-print", Role.PRESENTATION),
        ("product-carousel", Role.PRESENTATION),
        ("message-userContent", Role.BODY),
        ("message-user", Role.BOILERPLATE),
        ("visually-hidden", Role.BOILERPLATE),
        ("comments", Role.COMMENTS),
        ("byline", Role.META),
        ("news-card", Role.TEASER),
        ("onetrust-banner-sdk", Role.CONSENT),
        ("cookie-notice", Role.CONSENT),
    ],
)
def test_a_class_tells_what_a_part_is_for(names: str, role: Role) -> None:
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
    assert hint_of("div", names, "", "")[0] is Role.PLAIN


@pytest.mark.parametrize(
    ("tag", "names", "aria", "itemprop", "role"),
    [
        pytest.param("nav", "entry-content", "", "", Role.BOILERPLATE, id="a nav is one whatever its class"),
        pytest.param("div", "", "complementary", "", Role.BOILERPLATE, id="a landmark"),
        pytest.param("div", "", "main", "", Role.CONTENT, id="the main landmark"),
        pytest.param("div", "", "", "articleBody", Role.BODY, id="microdata"),
        pytest.param("article", "date", "", "", Role.CONTENT, id="an article named after its date"),
        pytest.param("article", "teaser", "", "", Role.TEASER, id="an article that is a teaser"),
        pytest.param("main", "sidebar-left", "", "", Role.CONTENT, id="main is main"),
    ],
)
def test_tags_landmarks_and_microdata_count(
    tag: str, names: str, aria: str, itemprop: str, role: Role
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
