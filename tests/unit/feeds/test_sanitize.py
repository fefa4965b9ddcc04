"""Markup from strangers."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outrider.feeds.sanitize import sanitized

BASE = "https://site.example/blog/"
TAG = re.compile(r"<[^<>]*>")


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("plain", "plain"),
        ("<p>a <b>bold</b> word</p>", "<p>a <b>bold</b> word</p>"),
        ("<P CLASS=x ID=y>a", "<p>a</p>"),
        ("AT&T &lt;b&gt; &copy;", "AT&amp;T &lt;b&gt; ©"),
        ("<img src='a.png' alt='\"'>", '<img src="https://site.example/blog/a.png" alt="&quot;" />'),
        ('<a href="/x?a=1&amp;b=2#c">x</a>', '<a href="https://site.example/x?a=1&amp;b=2#c">x</a>'),
        ('<a href="HTTP://Other.example">x</a>', '<a href="HTTP://Other.example">x</a>'),
        ('<a href="mailto:me@site.example">x</a>', '<a href="mailto:me@site.example">x</a>'),
        ("<custom-tag>kept text</custom-tag>", "kept text"),
        ("<noscript><img src=/a></noscript>", '<img src="https://site.example/a" />'),
        ("1 < 2", "1 &lt; 2"),
        ("cut <b", "cut &lt;b"),
        ("a<!-- never closed -- >b", "ab"),
        ("<td>cell</td>", "cell"),
        ("so <math><mi>a</mi><mo>+</mo><mi>b</mi></math> is", "so a+b is"),
        ("<math><semantics><mi>a</mi><annotation>\\a</annotation></semantics></math>", "a"),
        ("<svg><title>A ship</title><text>at <tspan>sea</tspan></text></svg>", "A ship at sea"),
        ("<svg><td>&lt;i&gt;</td><style>p {}</style><script>x()</script></svg>", "&lt;i&gt;"),
        ("a<iframe src='/x'/> <b>b</b>", "a <b>b</b>"),
        ("a<iframe srcdoc='<p>x</p>'>c</iframe> <b>b</b>", "ac <b>b</b>"),
        ("<title>a</title> <textarea>b</textarea> <select><option>c</select>", "a b c"),
        ("<xmp><b></xmp>", "&lt;b&gt;"),
        ("<!' <b>a</b>", "&lt;!' <b>a</b>"),
        ("<![if !supportLists]>a<![endif]>", "a"),
    ],
)
def test_harmless_markup_stays(markup, expected):
    assert sanitized(markup, BASE) == expected


@pytest.mark.parametrize(
    "markup",
    [
        "<script>alert(1)</script>",
        "<SCRIPT SRC=//evil.example></SCRIPT>",
        "<scr<script>ipt>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<img/src=x/onerror=alert(1)>",
        '<img src="x" oNerRor="alert(1)">',
        "<p onclick='alert(1)'>x</p>",
        "<body onload=alert(1)>",
        "<a href='javascript:alert(1)'>x</a>",
        "<a href=' jAvA&#x09;sCriPt:alert(1)'>x</a>",
        "<a href='java\nscript:alert(1)'>x</a>",
        "<a href='\x01javascript:alert(1)'>x</a>",
        "<a href='&#106;avascript&colon;alert(1)'>x</a>",
        "<a href='vbscript:msgbox(1)'>x</a>",
        "<a href='data:text/html,<script>alert(1)</script>'>x</a>",
        "<img src='data:image/svg+xml,<svg onload=alert(1)>'>",
        "<img srcset='javascript:alert(1) 1x'>",
        "<video poster='javascript:alert(1)'><source src='javascript:alert(1)'></video>",
        "<iframe src='javascript:alert(1)'></iframe>",
        "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
        "<object data='javascript:alert(1)'><embed src='javascript:alert(1)'></object>",
        "<form action='javascript:alert(1)'><button formaction='javascript:alert(1)'>x</button></form>",
        "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
        "<base href='javascript:alert(1)//'>",
        "<link rel=stylesheet href='javascript:alert(1)'>",
        "<style>@import 'javascript:alert(1)'; p { background: url(javascript:alert(1)) }</style>",
        "<p style='background:url(javascript:alert(1))'>x</p>",
        "<p style='width: expression(alert(1))'>x</p>",
        "<p style='-moz-binding:url(//evil.example/x.xml#alert(1))'>x</p>",
        "<p style='wid\\74 h: e\\xpression(alert(1))'>x</p>",
        "<svg onload=alert(1)></svg>",
        "<svg><script>alert(1)</script></svg>",
        "<svg><a xlink:href='javascript:alert(1)'><text>x</text></a></svg>",
        "<svg><animate attributeName=href values=javascript:alert(1)></svg>",
        "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
        "<math><a xlink:href='javascript:alert(1)'>x</a></math>",
        "<svg></p><style><a id='</style><img src=1 onerror=alert(1)>'>",
        "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
        "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
        "<textarea></textarea><script>alert(1)</script>",
        "<title></title><script>alert(1)</script>",
        "<xmp><p title='</xmp><script>alert(1)</script>'></xmp>",
        "<template><script>alert(1)</script></template>",
        "<!--><script>alert(1)</script>-->",
        "<!--<img src='--><img src=x onerror=alert(1)//'>",
        "<![CDATA[<script>alert(1)</script>]]>",
        "<?xml-stylesheet href='javascript:alert(1)'?>",
        "<plaintext><script>alert(1)</script>",
        "<details open ontoggle=alert(1)>x</details>",
        "<select><option><img src=x onerror=alert(1)></select>",
        "<p><table><p>x",
        "<a href=/1><table><a href=/2>x",
        "<a title='\"><script>alert(1)</script>'>x</a>",
        "<p title='&lt;/p&gt;&lt;script&gt;alert(1)&lt;/script&gt;'>x</p>",
    ],
)
def test_nothing_that_runs_survives_reading_twice(markup):
    once = sanitized(markup, BASE)
    twice = sanitized(once, BASE)

    assert once == twice
    assert is_harmless(once)


PIECES = """< > " ' / = & ; ! -- <b> <p </p> <svg> <style> </style> <math> <!-- --> <a href=
javascript: onerror= <script> </script> <noscript> <table> <title>
<td> <mi> <iframe <iframe> </iframe> <xmp> <textarea> <text> &lt; &#60; <img src= x"""


@settings(deadline=None)
@given(st.lists(st.sampled_from([*PIECES.split(), "\n"]), max_size=30))
def test_any_mixture_of_pieces_is_harmless(pieces):
    for glue in ("", " "):
        once = sanitized(glue.join(pieces), BASE)

        assert is_harmless(once)
        assert sanitized(once, BASE) == once


def test_markup_ends_somewhere_however_it_is_nested():
    assert len(sanitized("<b>" * 200_000, BASE)) < 1 << 20
    assert sanitized("<div>" * 5_000 + "x", BASE).count("x") == 1


def is_harmless(markup: str) -> bool:
    """By the tags alone: in what `sanitized` writes, every bracket that is not one of a tag is escaped."""
    assert "<" not in TAG.sub("", markup)
    return not any(
        re.match(
            r"</?(?:script|style|iframe|object|embed|svg|math|meta|base|link|form|template|textarea)\b", tag
        )
        or re.search(r"\son\w+=", re.sub(r'"[^"]*"', '""', tag))
        or re.search(r"""\s(?:href|src|cite|poster)="(?!https?:|mailto:|")""", tag, re.IGNORECASE)
        or re.search(r"\sstyle=\"[^\"]*[(\\\\]", tag)
        for tag in TAG.findall(markup)
    )
