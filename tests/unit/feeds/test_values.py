"""What stands in an element."""

import pytest

from outrider.feeds.markup import read_markup
from outrider.feeds.values import Guess, looks_like_markup, markup_of, text_of

BASE = "https://site.example/"
EITHER, MARKUP, TEXT = Guess.EITHER, Guess.MARKUP, Guess.TEXT


def element(source: str):
    return read_markup(source, most_entries=1).children[0]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<guid> a\n</guid>", "a"),
        ("<guid>a &amp; b &eacute; &#233; &unknown;</guid>", "a & b é é &unknown;"),
        ("<guid>a<![CDATA[ &amp; ]]>b</guid>", "a &amp; b"),
        ("<guid>a<!-- c -->b<?x y?></guid>", "ab"),
        ("<guid>never closed", "never closed"),
        ("<guid><![CDATA[never closed", "never closed"),
        ("<guid/>", ""),
    ],
)
def test_text_is_what_the_references_and_sections_mean(source, text):
    assert text_of(element(source)) == text


@pytest.mark.parametrize(
    ("source", "guess", "expected"),
    [
        pytest.param("<title>a</title>", EITHER, "a", id="plain"),
        pytest.param("<title>&lt;b&gt;a&lt;/b&gt;</title>", EITHER, "<b>a</b>", id="escaped"),
        pytest.param("<title><b>a</b></title>", EITHER, "<b>a</b>", id="as an element"),
        pytest.param("<title><![CDATA[<b>a</b>]]></title>", EITHER, "<b>a</b>", id="in CDATA"),
        pytest.param('<title mode="base64">PGI+YTwvYj4=</title>', TEXT, "<b>a</b>", id="in base64"),
        pytest.param(
            '<content type="application/octet-stream">\n PGI+YTwv\n Yj4=</content>',
            MARKUP,
            "<b>a</b>",
            id="of a type that is in base64",
        ),
        pytest.param('<content type="image/png">iVBORw0KGgo=</content>', MARKUP, None, id="a picture"),
        pytest.param('<title type="application/x-unknown">Test</title>', TEXT, "Test", id="a word"),
        pytest.param('<title type="image/png">testtest</title>', TEXT, "testtest", id="a longer word"),
        pytest.param('<title mode="base64">Test</title>', TEXT, "Test", id="a word said to be base64"),
        pytest.param('<title mode="base64">PGI+*YTwvYj4=</title>', TEXT, "PGI+*YTwvYj4=", id="nearly base64"),
        pytest.param('<title mode="base64">AQI=</title>', TEXT, "AQI=", id="controls in base64"),
        pytest.param("<title>PGI+YTwvYj4=</title>", TEXT, "PGI+YTwvYj4=", id="only looks like base64"),
        pytest.param('<title type="text/x">PGI+YTwvYj4=</title>', TEXT, "PGI+YTwvYj4=", id="a text"),
        pytest.param('<title type="html">&lt;b&gt;a</title>', TEXT, "<b>a</b>", id="declared as HTML"),
        pytest.param('<title type="text">&lt;b&gt;a</title>', EITHER, "<b>a", id="declared as text"),
        pytest.param('<title type="xhtml"><div><b>a</b></div></title>', TEXT, "<b>a</b>", id="as XHTML"),
        pytest.param(
            '<title type="xhtml"><h:div><h:b>a &amp;lt;</h:b></h:div></title>',
            TEXT,
            "<b>a &amp;lt;</b>",
            id="prefixed",
        ),
        pytest.param("<title>AT&amp;amp;T</title>", EITHER, "AT&T", id="escaped once too often"),
        pytest.param("<title>AT&amp;amp;T</title>", TEXT, "AT&amp;T", id="as often as was meant"),
        pytest.param("<title>1 &lt; 2</title>", EITHER, "1 < 2", id="a comparison"),
        pytest.param(
            "<title>List&lt;String&gt; in Java</title>", EITHER, "List<String> in Java", id="a type"
        ),
        pytest.param("<title>&lt;script&gt;x&lt;/script&gt;a</title>", EITHER, "a", id="a script"),
        pytest.param(
            '<title type="text">&lt;img src=x onerror=y&gt;</title>',
            TEXT,
            '<img src="https://site.example/x" />',
            id="text that would run",
        ),
        pytest.param(
            "<description>1 &lt; 2 &amp; 3</description>", MARKUP, "1 &lt; 2 &amp; 3", id="markup stays so"
        ),
        pytest.param("<title>  </title>", EITHER, None, id="nothing"),
    ],
)
def test_markup_is_read_in_every_spelling(source, guess, expected):
    assert markup_of(element(source), guess, BASE) == expected


@pytest.mark.parametrize("text", ["<b>a</b>", "a<br/>", "&eacute;t&eacute;", "&#233;"])
def test_elements_that_close_and_known_references_look_like_markup(text):
    assert looks_like_markup(text)


@pytest.mark.parametrize(
    "text", ["a", "1 < 2", "a & b", "<blink>", "<my>a</my>", "&nosuch;", "<b>a</b> <string>"]
)
def test_other_text_does_not(text):
    assert not looks_like_markup(text)
