"""Who wrote a page."""

import pytest

from outrider.extract import extract


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        pytest.param("<meta name=author content='Ann Lee'>", "Ann Lee", id="as meta says"),
        pytest.param(
            "<meta property=article:author content=https://social.test/ann>"
            "<meta name=byl content='By Ann Lee'>",
            "Ann Lee",
            id="an address is no name, and By no part of one",
        ),
        pytest.param(
            "<meta name=citation_author content='Lee, A.'><meta name=citation_author content='Ray, B.'>",
            "Lee, A., Ray, B.",
            id="several",
        ),
        pytest.param(
            '<script type="application/ld+json">{"@type": "Article", "author": [{"name": "Ann"}, "Ben"]}',
            "Ann, Ben",
            id="as JSON-LD says",
        ),
        pytest.param(
            '<script type="application/ld+json">{"@type": "Product", "author": "Ann"}</script>',
            None,
            id="but not of another thing",
        ),
        pytest.param("<a rel=author href=/ann>Ann <b>Lee</b></a>", "Ann Lee", id="as a link says"),
        pytest.param("<p class=byline>by  Ann Lee</p>", "Ann Lee", id="as the byline says"),
        pytest.param("<p class=author>" + "many words " * 20, None, id="a paragraph is no name"),
        pytest.param("<p>Ann", None, id="nobody says"),
        pytest.param(
            "<meta name=author content='Ann Lee, Head of Saws, Saw and Blade Works - 10 Years in the Trade'>",
            "Ann Lee, Head of Saws, Saw and Blade Works - 10 Years in the Trade",
            id="with a long title",
        ),
        pytest.param(
            "<meta name=author content=web@our-town.test><p class=byline>Ann Lee</p>",
            "Ann Lee",
            id="a mailbox is no name",
        ),
        pytest.param("<meta name=author content=', Ann Lee'>", "Ann Lee", id="without stray commas"),
        pytest.param(
            "<meta property=og:site_name content='The Site'><meta name=author content='The Site'>"
            "<p class=byline>By Ann Lee</p>",
            "Ann Lee",
            id="a person before the site",
        ),
        pytest.param(
            "<meta property=og:site_name content='The Site'><meta name=author content='The Site'>",
            "The Site",
            id="the site where it names nobody",
        ),
        pytest.param(
            '<script type="application/ld+json">{"@type": "QAPage", "mainEntity": {"@type": "Question",'
            ' "author": {"name": "Ann"}}}</script>',
            "Ann",
            id="of what the page is mainly about",
        ),
    ],
)
def test_the_author(html, expected):
    assert extract(html.encode(), "https://example.com/a").author == expected


@pytest.mark.parametrize(
    "byline",
    [
        pytest.param("<p>By Ann Lee</p>", id="in words"),
        pytest.param("<p>by Ann Lee - 2024-05-17</p>", id="with a date"),
        pytest.param("<div><i>Written by</i><b>Ann Lee</b></div>", id="in the next element"),
        pytest.param(
            "<dl><dt>Author<i>:</i></dt><dd>Ann Lee &lt;ann at site&gt;</dd></dl>", id="with a mailbox"
        ),
        pytest.param(
            "<p><a href=/authors/ann>Ann Lee</a> <i>Updated May 6, 2024</i></p>", id="a person's page"
        ),
        pytest.param("<div class=dateAndAuthor><i>May 6, 2024</i><i>Ann Lee</i></div>", id="beside a date"),
        pytest.param(
            "<div class=byline>Guide <i>by</i> <b>Ann Lee</b> <i>Tech Editor</i></div>", id="after by"
        ),
        pytest.param("<p class=author><a href=/a>Ann Lee</a> Writer</p>", id="without her title"),
        pytest.param(
            "<div itemprop=author><b itemprop=name>Ann Lee</b> 412 points 4 badges</div>",
            id="as microdata says",
        ),
        pytest.param(
            "<p class=byline>Sat, 20 Dec, 2025 - 06:36</p><p class=byline>Ann Lee</p>", id="a date is no name"
        ),
        pytest.param("<p>Written by <b>Ann Lee, edited by Ben Ray</b></p>", id="before another credit"),
        pytest.param("<p>Ann Lee | Senior Writer | July 2, 2025</p>", id="with her profession and a date"),
    ],
)
def test_a_byline_at_the_headline(byline):
    html = f"<main><h1>The mill turns</h1>{byline}<p>Text.</p></main>"

    assert extract(html.encode(), "https://example.com/a").author == "Ann Lee"


def test_a_name_with_a_role_counts_after_written_by():
    html = "<main><h1>The mill turns</h1><p><i>Written by</i> <b>Travel Editor, Ann Lee</b></p></main>"

    assert extract(html.encode(), "https://example.com/a").author == "Travel Editor, Ann Lee"


def test_the_name_of_an_account_may_begin_with_a_small_letter():
    html = (
        "<main><div role=heading aria-level=1>The mill turns</div>"
        "<p class=byline>via <a class=u-author href=/~ann>ann</a></p></main>"
    )

    assert extract(html.encode(), "https://example.com/a").author == "ann"


TEXT = "<h1>The mill turns</h1><p>" + "The mill turns, and the miller is glad. " * 9 + "</p><h2>More</h2>"


@pytest.mark.parametrize(
    ("box", "expected"),
    [
        pytest.param("<h3>Written by Ann Lee</h3><p>Ann likes mills.</p>", "Ann Lee", id="a heading"),
        pytest.param(
            "<aside><h6>Author(s)</h6><ul><li>Ann Lee</li><li>Ben Ray</li></ul></aside>",
            "Ann Lee, Ben Ray",
            id="a heading above a list of names",
        ),
        pytest.param("<h4>Author</h4><p>Ann Lee</p>", "Ann Lee", id="a heading above the name"),
        pytest.param(
            "<p>Ann Lee</p><div class=the-author-description>Miller for more than twenty years.</div>",
            "Ann Lee",
            id="in front of her description",
        ),
        pytest.param(
            "<p class=posted>Posted by Ann at May 16, 2025 11:15 AM</p>", "Ann", id="with the date of posting"
        ),
        pytest.param("<h3>Written by Ann Lee</h3><h3>Written by Ben Ray</h3>", None, id="two boxes"),
        pytest.param("<h4>Author</h4><p>Ann Lee has been a miller for years.</p>", None, id="a sentence"),
        pytest.param(
            "<h4>Authors</h4><ul><li>Ann Lee</li><li>Read more about us</li></ul>", None, id="a menu"
        ),
        pytest.param("<ul><li>Ann Lee</li></ul><h4>Authors</h4>", None, id="a list above the heading"),
        pytest.param("<p class=posted>Mill News</p>", None, id="a place of posting"),
    ],
)
def test_a_box_below_the_text_names_the_author(box, expected):
    html = f"<main>{TEXT}</main><div>{box}</div>"

    assert extract(html.encode(), "https://example.com/a").author == expected


def test_several_names_in_a_byline():
    html = "<p class=byline>By <a href=/a>Ann Lee</a> and <a href=/b>Ben Ray</a> in <a href=/c>Saws</a></p>"

    assert extract(html.encode(), "https://example.com/a").author == "Ann Lee, Ben Ray"


LISTED = "".join(
    f"<li><a href=/{n}>Story</a> <i class=author>{n} Lee</i></li>" for n in ("Ann", "Ben", "Cleo")
)


@pytest.mark.parametrize(
    ("html", "url"),
    [
        pytest.param(f"<h1>News</h1><ul>{LISTED}</ul>", "https://example.com/news", id="a list"),
        pytest.param("<p class=author>Ann Lee</p>", "https://example.com/", id="a home page"),
        pytest.param(
            "<meta itemprop=author content=Ann><meta property=og:type content=product>",
            "https://example.com/saw",
            id="reviews of a product",
        ),
        pytest.param(
            "<main><h1>Saws</h1><blockquote>Sharp. <cite class=q-author>Ann Lee</cite></blockquote></main>",
            "https://example.com/saw",
            id="a quotation",
        ),
        pytest.param(
            "<main><h1>Saws</h1><p class=no-byline><a href=/>Home Page</a> » <a href=/t>Tools</a></p></main>",
            "https://example.com/saw",
            id="the way to the page",
        ),
        pytest.param(
            "<main><h1>Saws</h1><p>Reviewed by Ann Lee</p></main>", "https://example.com/saw", id="a reviewer"
        ),
        pytest.param(
            "<main><h1>Saws</h1><p>Product News | Steel | May 1, 2024</p></main>",
            "https://example.com/saw",
            id="a section without a profession",
        ),
        pytest.param(
            "<main><h1>Saws</h1><p>By Managing Editor</p></main>", "https://example.com/saw", id="a role"
        ),
        pytest.param(
            "<div itemscope itemtype=http://schema.org/Review><p itemprop=author>Ann Lee</p></div>",
            "https://example.com/saw",
            id="a review in microdata",
        ),
    ],
)
def test_no_author_is_invented(html, url):
    assert extract(html.encode(), url).author is None
