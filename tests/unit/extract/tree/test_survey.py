"""What one walk over a page picks up."""

import pytest

from outrider.extract.tree.parse import parse
from outrider.extract.tree.survey import MAX_HREF, MAX_RELATIONS, survey


def found_on(html):
    return survey(parse(html.encode()))


@pytest.mark.parametrize(
    ("html", "hrefs"),
    [
        pytest.param("<a href=/a>1</a><A HREF='b'>2</A>", ["/a", "b"], id="anchors, in order"),
        pytest.param("<map><area href=/a></map>", ["/a"], id="areas of image maps"),
        pytest.param("<a href=' \n/a\t'>", ["/a"], id="without white space around them"),
        pytest.param("<a href=/a><a href=/b><a href=/a>", ["/a", "/b"], id="each once"),
        pytest.param("<a href=/a><a href=' /a'>", ["/a"], id="also when one is padded"),
        pytest.param(
            "<a href=''><a href='  '><a href=#top><a>", ["#"], id="those that stay on the page as one"
        ),
        pytest.param(
            "<a href='?p=2'><a href=//h><a href=./x:y>", ["?p=2", "//h", "./x:y"], id="relative ones"
        ),
        pytest.param(
            "<a href=HTTP://h/><a href=https://h/>", ["HTTP://h/", "https://h/"], id="absolute ones"
        ),
        pytest.param(
            "<a href=mailto:x@h><a href='JavaScript:go()'><a href=tel:1><a href=data:,x><a href=ftp://h>",
            [],
            id="not what cannot be fetched",
        ),
        pytest.param("<svg><a xlink:href=/a></a></svg>", ["/a"], id="links in drawings"),
        pytest.param("<template><a href=/a></a></template>", [], id="not the inert ones of templates"),
        pytest.param(
            "<noscript><a href=/a></a></noscript>", ["/a"], id="those for readers without scripts, like us"
        ),
        pytest.param("<!-- <a href=/a> --><script>'<a href=/b>'</script>", [], id="not comments and scripts"),
        pytest.param("<nav><a href=/a></a></nav>", ["/a"], id="those in menus"),
        pytest.param("<a href=/a<b>c</a><a href=/d", ["/a<b"], id="broken markup as a browser reads it"),
        pytest.param("<link rel=alternate href=/de>", [], id="not what <link> refers to"),
        pytest.param(f"<a href=/{'x' * MAX_HREF}>", [], id="nor addresses longer than any"),
    ],
)
def test_links(html, hrefs):
    assert list(found_on(html).links) == hrefs


@pytest.mark.parametrize(
    ("html", "relations"),
    [
        pytest.param("<link rel=canonical href=' /c'>", {"/c": False}, id="canonical"),
        pytest.param("<link rel='ALTERNATE' hreflang=de href=/de>", {"/de": True}, id="alternate"),
        pytest.param("<link rel=canonical href=/a><link rel=alternate href=/a>", {"/a": True}, id="both"),
        pytest.param(
            "<link rel=next href=?p=2><link rel=prev href=?p=0>",
            {"?p=2": False, "?p=0": False},
            id="next and prev",
        ),
        pytest.param(
            "<link rel=stylesheet href=/s><link rel='alternate stylesheet' href=/t><link rel=icon href=/i>",
            {},
            id="not what only dresses the page",
        ),
        pytest.param(
            "<link rel=alternate type=application/json+oembed href=/o>", {}, id="nor what feeds machines"
        ),
        pytest.param(
            "<link rel=alternate type=application/rss+xml href=/feed>", {"/feed": True}, id="but feeds"
        ),
        pytest.param(
            "<link rel=alternate href=#x><link rel=alternate href=android-app://x>", {}, id="no page"
        ),
        pytest.param(f"<link rel=alternate href=/{'x' * MAX_HREF}>", {}, id="nor addresses longer than any"),
    ],
)
def test_relations(html, relations):
    assert found_on(html).relations == relations


def test_relations_stop_at_the_limit():
    html = "".join(f"<link rel=alternate href=/{number}>" for number in range(MAX_RELATIONS + 50))

    assert len(found_on(html).relations) == MAX_RELATIONS


@pytest.mark.parametrize(
    ("html", "nofollow"),
    [
        ("<a href=/a>", False),
        ("<a href=/a rel='noopener NOFOLLOW'>", True),
        ("<a href=/a rel=ugc>", True),
        ("<a href=/a rel=sponsored>", True),
        ("<a href=/a rel=nofollow><a href=/a>", False),
        ("<a href=/a><a href=/a rel=nofollow>", False),
        ("<a href=/a rel=nofollow><a href=/a rel=ugc>", True),
        ("<a href=/a rel=nofollow><a href=' /a'>", False),
    ],
)
def test_a_link_is_unfollowed_only_when_every_mention_of_it_is(html, nofollow):
    assert found_on(html).links == {"/a": nofollow}


def test_links_stop_at_the_limit():
    html = b"".join(b"<a href=/%d>" % number for number in range(50))

    assert list(survey(parse(html), max_links=3).links) == ["/0", "/1", "/2"]


def test_the_title_is_the_documents_and_not_a_drawings():
    assert found_on("<body><svg><title>icon</title></svg><title>page</title>").title == "page"


def test_meta_is_found_by_name_property_itemprop_and_http_equiv():
    found = found_on(
        "<meta name=Description content=1><meta property=og:title content=2>"
        "<meta itemprop=datePublished content=3><meta http-equiv=Content-Language content=4><meta name=empty>"
        "<meta name=description content=5>"
    )

    assert found.metas == {
        "description": ["1", "5"],
        "og:title": ["2"],
        "datepublished": ["3"],
        "content-language": ["4"],
    }
    assert found.meta("absent", "og:title", "description") == "2"


def test_head_elements_count_wherever_the_parser_had_to_put_them():
    found = found_on(
        "<noscript><img></noscript><link rel=canonical href=/c><base href=/b/><meta name=a content=b>"
    )

    assert (found.canonical, found.bases, found.meta("a")) == ("/c", ["/b/"], "b")


def test_of_two_canonical_links_the_first_counts():
    assert found_on("<link rel=canonical href=/1><link rel=canonical href=/2>").canonical == "/1"
