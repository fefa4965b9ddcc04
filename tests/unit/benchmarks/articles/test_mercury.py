"""Selectors are read out of JavaScript that nobody runs."""

import pytest
from benchmarks.articles import mercury
from benchmarks.articles.archive import read
from benchmarks.articles.mercury import Site, site_of

TEXT = " ".join(["word"] * (mercury.FEW_WORDS + 1))
TESTS = """
    url = 'https://a.test/story'; readFileSync('./fixtures/a.test/1.html');
    assert.equal(lead, 'https://a.test/lead.jpg');
    readFileSync('./fixtures/a.test/1.html');  readFileSync('./fixtures/a.test/gone.html');
"""


@pytest.mark.parametrize(
    ("content", "site"),
    [
        ("selectors: ['.body'], clean: []", Site([[".body"]], [])),
        ("""selectors: [['.lead', ".body"], '.body'],""", Site([[".lead", ".body"], [".body"]], [])),
        (
            """selectors: [ // it's "here"
            '.b', ], clean: ['.ad', ['p[x="1"]']]""",
            Site([[".b"]], [".ad", 'p[x="1"]']),
        ),
        (r"selectors: ['p[title=\'x\']']", Site([["p[title='x']"]], [])),
        ("transforms: { 'a[href^=\"http://x\"]': $node => {} }", Site([], [])),
        ("selectors: ['.never", Site([[".never } }"]], [])),
        ("selectors: [" + r"\'" * 100_000, Site([["'" * 99_999 + " } }"]], [])),
        ("selectors: [" + "[" * 10_000, Site([[]], [])),
    ],
)
def test_the_selectors_of_the_content_are_found(content, site):
    source = f"export const X = {{ title: {{ selectors: ['h1'] }}, content: {{ {content} }} }}"

    assert site_of(source) == site


def test_the_text_is_what_the_first_fitting_selectors_find_once_and_cleaned(packed):
    page = f"<div class=body><h1>T</h1><p class=body>{TEXT}</p><p class=ad>Buy</p></div>"
    archive = packed(
        {
            "src/extractors/custom/a.test/index.js": "content: { selectors: ["
            "['.body', '.missing'], 'p:nonsense(', '.body'], clean: ['.ad'] }",
            "src/extractors/custom/a.test/index.test.js": TESTS,
            "fixtures/a.test/1.html": page,
        }
    )

    (article,) = mercury.load(read(archive, mercury.WANTED))

    assert (article.name, article.url) == ("a.test/1.html", "https://a.test/story")
    assert article.truth.split() == TEXT.split()


def test_metas_get_back_the_names_that_they_were_saved_without(packed):
    archive = packed(
        {
            "src/extractors/custom/a.test/index.js": "content: { selectors: ['p'] }",
            "src/extractors/custom/a.test/index.test.js": "'fixtures/a.test/1.html'",
            "fixtures/a.test/1.html": f'<meta name="og:url" value="https://a.test/2"><p>{TEXT}',
        }
    )

    (article,) = mercury.load(read(archive, mercury.WANTED))

    assert article.html.startswith('<meta property="og:url" content="https://a.test/2">')
    assert article.url == "https://a.test/2"


def test_a_page_with_hardly_any_text_is_left_out(packed):
    archive = packed(
        {
            "src/extractors/custom/a.test/index.js": "content: { selectors: ['p'] }",
            "src/extractors/custom/a.test/index.test.js": "'fixtures/a.test/1.html'",
            "fixtures/a.test/1.html": "<p>Watch this",
        }
    )

    assert list(mercury.load(read(archive, mercury.WANTED))) == []
