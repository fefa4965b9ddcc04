"""Pages: whatever the bytes, an answer, and one that can be kept."""

import codecs
import json

import webencodings
from tests.fuzz.storable import check_storable

from outrider.errors import InvalidInput
from outrider.extract import charset, decode, extract, scan
from outrider.extract.recipe.selectors import Selectors
from outrider.extract.recipe.with_selectors import extract_with
from outrider.urls import normalize

URL = "https://example.com/a/b"
TYPES = (None, "text/html; charset=utf-8", "text/html; charset=shift_jis", '\x00; charset="x')
PAGE = b"""<html><head><title>A title</title></head><body><article class="story"><h1 id=top>Heading</h1>
<p class="by">By Somebody</p><p>Text.</p><ul><li><a href=/1>1</a></li></ul></article></body></html>"""


def check(data: bytes) -> None:
    for content_type in TYPES:
        name = charset(data, content_type)
        assert name == name.lower()
        assert name == "replacement" or webencodings.lookup(name) or codecs.lookup(name)
        decode(data, content_type)
        check_storable(scan(data, URL, content_type))
        page = extract(data, URL, content_type)
        check_storable(page)
        assert len(set(page.links)) == len(page.links)
        for link in page.links:
            assert normalize(link) == link


def check_selectors(data: bytes) -> None:
    """Selectors somebody wrote, on a page like others."""
    try:
        written = json.loads(data)
    except (ValueError, RecursionError):
        return
    if not isinstance(written, dict):
        return
    try:
        selectors = Selectors.from_json(written)
    except InvalidInput:
        return
    assert Selectors.from_json(selectors.to_json()) == selectors
    check_storable(extract_with(PAGE, URL, selectors).page)
    check_storable(extract_with(PAGE.replace(b"Text.", data[:500]), URL, selectors, "wordpress").page)
