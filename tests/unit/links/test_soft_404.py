"""When a page is the one that its host gives for every address."""

from datetime import UTC, datetime

import pytest

from outrider.extract.similarity.signature import signature
from outrider.fetch import Hop
from outrider.links.evidence import LinkProbe, PageSignals, ProbeEnding, Purpose
from outrider.links.signals import page_signals
from outrider.links.soft_404 import is_soft_404

NOW = datetime(2026, 3, 4, tzinfo=UTC)
HOME, A, RANDOM = "http://shop.test/", "http://shop.test/a", "http://shop.test/zzz"
LONG = " ".join(f"word{number}" for number in range(100))
ALMOST = " ".join(f"word{number}" for number in range(95))


def answer(url: str, page: PageSignals | None, to: str | None = None, status: int = 200) -> LinkProbe:
    hops = (Hop(url, 302, to),) if to else ()
    return LinkProbe(Purpose.LINK, "GET", url, NOW, ProbeEnding.ANSWERED, status, to or url, hops, page=page)


def says(title: str, text: str, **values) -> PageSignals:
    return PageSignals(title=title, text_hash=hash(text), signature=signature(text), **values)


@pytest.mark.parametrize(
    ("link", "random", "soft"),
    [
        pytest.param(answer(A, says("x", "b")), answer(RANDOM, says("x", "b")), True, id="the same text"),
        pytest.param(
            answer(A, says("x", LONG)), answer(RANDOM, says("x", ALMOST)), True, id="nearly the same"
        ),
        pytest.param(
            answer(A, says("Teapot", LONG)), answer(RANDOM, says("Shop", ALMOST)), False, id="another title"
        ),
        pytest.param(answer(A, says("x", "b")), answer(RANDOM, says("x", "c")), False, id="short, different"),
        pytest.param(answer(A, None, to=HOME), answer(RANDOM, None, to=HOME), True, id="both lead home"),
        pytest.param(answer(A, None, to=f"{HOME}b"), answer(RANDOM, None, to=HOME), False, id="elsewhere"),
        pytest.param(
            answer(HOME, says("x", "b")), answer(RANDOM, says("x", "b")), False, id="the front page"
        ),
        pytest.param(
            answer(A, says("x", "b")), answer(RANDOM, says("x", "b"), status=404), False, id="an honest host"
        ),
        pytest.param(
            answer(A, says("Not found: a", "b", says_missing=True)),
            answer(RANDOM, says("Not found: zzz", "c", says_missing=True)),
            True,
            id="both say that they are missing",
        ),
    ],
)
def test_soft_404(link, random, soft):
    assert is_soft_404(link, random) is soft


def test_a_page_that_repeats_its_address_is_compared_without_it():
    def body(name: str) -> PageSignals | None:
        html = f"<title>Oops</title><p>We have no /shop/{name} for you</p>".encode()
        return page_signals(html, f"http://shop.test/shop/{name}", "text/html", {})

    one, other = body("red-teapot"), body("8f3a")

    assert one is not None
    assert other is not None
    assert one.text_hash == other.text_hash
