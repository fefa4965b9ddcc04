"""Which attributes of HTML are links, and how the base of a page changes them."""

from pathlib import Path

import pytest

from outrider.links.files.html_links import html_links
from outrider.links.files.reading import read_file


@pytest.mark.parametrize(
    ("html", "links"),
    [
        ('<img src=a.png srcset="b.png 1x, c.png 2x">', ["a.png", "b.png", "c.png"]),
        ('<source srcset="b.png 100w,c.png 2.5x,d.png">', ["b.png", "c.png", "d.png"]),
        ('<img srcset="/w_1,h_2/a.png 1x,\n /w_3,h_4/b.png 2x">', ["/w_1,h_2/a.png", "/w_3,h_4/b.png"]),
        ('<img srcset=" , ">', []),
        ("<video src=a.mp4 poster=b.png>", ["a.mp4", "b.png"]),
        ("<object data=a.pdf></object>", ["a.pdf"]),
        ("<frameset><frame src=a.html></frameset>", ["a.html"]),
        ("<META HTTP-EQUIV=refresh content='0; url=a.html'>", ["a.html"]),
        ("""<meta http-equiv=Refresh content="5;URL='a.html?b=1;c'">""", ["a.html?b=1;c"]),
        ("<meta http-equiv=refresh content=60><meta name=refresh content='0; url=a.html'>", []),
        ("<img alt=none><a>none</a><a href=' '>none</a>", []),
    ],
)
def test_every_attribute_that_leads_somewhere_is_a_link(html: str, links: list[str]):
    assert [found.href for found in html_links(html)[0]] == links


@pytest.mark.parametrize(
    ("base", "links"),
    [
        ("https://shop.test/a/", ["https://shop.test/a/b.html", "https://shop.test/c", "mailto:a@shop.test"]),
        ("sub/", ["sub/b.html", "/c", "mailto:a@shop.test"]),
        ("http://[broken", ["b.html", "/c", "mailto:a@shop.test"]),
    ],
)
def test_links_start_at_the_base_that_a_page_names(tmp_path: Path, base: str, links: list[str]):
    page = tmp_path / "page.html"
    page.write_text(f'<base href="{base}"><a href=b.html>b<a href=/c>c<a href=mailto:a@shop.test>m')

    assert [found.href for found in read_file(page).links] == links
