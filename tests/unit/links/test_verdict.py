"""From evidence to a verdict: only proof makes a link dead."""

from datetime import UTC, datetime, timedelta

import pytest

from outrider.fetch import Failure, Hop
from outrider.links.evidence import (
    Evidence,
    LinkProbe,
    PageSignals,
    PastCheck,
    ProbeEnding,
    Purpose,
    Verdict,
    Wall,
)
from outrider.links.reason import NEVER_DEAD, LinkReason
from outrider.links.verdict import judge

NOW = datetime(2026, 3, 4, 3, 0, tzinfo=UTC)
URL = "http://shop.test/a"
ARTICLE = PageSignals(title="A", text_hash=1, words=300)


def probe(status: int | None = None, method: str = "GET", **values) -> LinkProbe:
    purpose = values.pop("purpose", Purpose.LINK)
    ending = values.pop("ending", ProbeEnding.ANSWERED)
    url = values.pop("url", URL)
    final = values.pop("final_url", url)
    return LinkProbe(purpose, method, url, NOW, ending, status, final, **values)


def head(status: int, **values) -> LinkProbe:
    return probe(status, "HEAD", **values)


def failed(failure: Failure, **values) -> LinkProbe:
    return probe(None, ending=ProbeEnding.FAILED, failure=failure, **values)


def hops(*pairs: tuple[int, str], start: str = URL) -> tuple[Hop, ...]:
    found, at = [], start
    for status, target in pairs:
        found.append(Hop(at, status, target))
        at = target
    return tuple(found)


def front(status: int, wall: Wall | None = None) -> LinkProbe:
    return probe(status, purpose=Purpose.FRONT_PAGE, url="http://shop.test/", page=PageSignals(wall=wall))


def nonsense(status: int, page: PageSignals | None = None, **values) -> LinkProbe:
    return probe(status, purpose=Purpose.RANDOM_PATH, url="http://shop.test/zzz", page=page, **values)


def challenge(status: int) -> LinkProbe:
    return probe(status, page=PageSignals(wall=Wall.CHALLENGE))


TO_LOGIN = {
    "hops": hops((302, "http://shop.test/login?next=a")),
    "final_url": "http://shop.test/login?next=a",
}

TABLE = {
    # alive
    "a page": ([head(200)], Verdict.OK, LinkReason.ANSWERS),
    "HEAD refused, GET works (405)": ([head(405), probe(200)], Verdict.OK, LinkReason.ANSWERS),
    "HEAD refused, GET works (501)": ([head(501), probe(200)], Verdict.OK, LinkReason.ANSWERS),
    "HEAD refused, GET works (403)": ([head(403), probe(200)], Verdict.OK, LinkReason.ANSWERS),
    "HEAD says 404, GET works": ([head(404), probe(200)], Verdict.OK, LinkReason.ANSWERS),
    "flapping within the check": ([head(503), probe(200)], Verdict.OK, LinkReason.ANSWERS),
    "HEAD works, GET is blocked": ([head(200), probe(403)], Verdict.OK, LinkReason.ANSWERS),
    "HEAD works, GET fails": ([head(200), failed(Failure.TIMEOUT)], Verdict.OK, LinkReason.ANSWERS),
    "temporary redirect": (
        [head(200, hops=hops((302, "http://shop.test/b")))],
        Verdict.OK,
        LinkReason.TEMPORARY_REDIRECT,
    ),
    "a page that is too large": ([failed(Failure.TOO_LARGE)], Verdict.OK, LinkReason.ANSWERS),
    # moved
    "permanent redirect": (
        [head(200, hops=hops((301, "http://shop.test/b")))],
        Verdict.MOVED,
        LinkReason.MOVED_PERMANENTLY,
    ),
    # dead, with proof
    "404 by GET": ([head(404), probe(404), front(200)], Verdict.DEAD, LinkReason.NOT_FOUND),
    "410 by GET": ([head(410), probe(410)], Verdict.DEAD, LinkReason.GONE),
    "404 on a host without a front page": ([probe(404), front(404)], Verdict.DEAD, LinkReason.NOT_FOUND),
    "HEAD lies, GET says 404": ([head(200), probe(404)], Verdict.DEAD, LinkReason.NOT_FOUND),
    "redirect to a 404": (
        [probe(404, hops=hops((301, "http://shop.test/b")))],
        Verdict.DEAD,
        LinkReason.NOT_FOUND,
    ),
    "the name is gone": ([failed(Failure.DNS, name_is_gone=True)], Verdict.DEAD, LinkReason.NAME_GONE),
    "no address": ([probe(None, ending=ProbeEnding.INVALID)], Verdict.DEAD, LinkReason.INVALID_ADDRESS),
    # answers about the visitor
    "404 by HEAD only": ([head(404)], Verdict.UNCERTAIN, LinkReason.CLIENT_ERROR),
    "404 with a challenge": ([head(404), challenge(404)], Verdict.UNCERTAIN, LinkReason.BOT_BLOCK),
    "404, front page 403": ([probe(404), front(403)], Verdict.UNCERTAIN, LinkReason.BOT_BLOCK),
    "404, front page 429": ([probe(404), front(429)], Verdict.UNCERTAIN, LinkReason.BOT_BLOCK),
    "404, front page a challenge": (
        [probe(404), front(200, Wall.CHALLENGE)],
        Verdict.UNCERTAIN,
        LinkReason.BOT_BLOCK,
    ),
    "403": ([head(403), probe(403)], Verdict.UNCERTAIN, LinkReason.BOT_BLOCK),
    "999": ([head(999), probe(999)], Verdict.UNCERTAIN, LinkReason.BOT_BLOCK),
    "503 with a challenge": ([challenge(503)], Verdict.UNCERTAIN, LinkReason.BOT_BLOCK),
    "200 with a challenge": ([challenge(200)], Verdict.UNCERTAIN, LinkReason.BOT_BLOCK),
    "429": ([head(429)], Verdict.UNCERTAIN, LinkReason.RATE_LIMITED),
    "401": ([probe(401)], Verdict.UNCERTAIN, LinkReason.LOGIN_WALL),
    "redirect to a log-in": ([probe(200, **TO_LOGIN)], Verdict.UNCERTAIN, LinkReason.LOGIN_WALL),
    "redirect to a log-in that is 404": ([probe(404, **TO_LOGIN)], Verdict.UNCERTAIN, LinkReason.LOGIN_WALL),
    "451": ([probe(451)], Verdict.UNCERTAIN, LinkReason.LEGAL_BLOCK),
    "robots.txt": ([probe(None, ending=ProbeEnding.ROBOTS)], Verdict.UNCERTAIN, LinkReason.ROBOTS),
    "a private address": (
        [probe(None, ending=ProbeEnding.REFUSED)],
        Verdict.UNCERTAIN,
        LinkReason.NOT_ALLOWED,
    ),
    "a resting host": ([probe(None, ending=ProbeEnding.RESTING)], Verdict.UNCERTAIN, LinkReason.HOST_RESTS),
    "nothing asked": ([], Verdict.UNCERTAIN, LinkReason.NOT_CHECKED),
    # answers that may be about the page
    "parked": ([probe(200, page=PageSignals(wall=Wall.PARKED))], Verdict.UNCERTAIN, LinkReason.PARKED),
    "sold": (
        [
            probe(
                200,
                hops=hops((302, "https://www.hugedomains.com/x")),
                final_url="https://www.hugedomains.com/x",
            )
        ],
        Verdict.UNCERTAIN,
        LinkReason.PARKED,
    ),
    "the page of every address": (
        [probe(200, page=ARTICLE), nonsense(200, ARTICLE)],
        Verdict.UNCERTAIN,
        LinkReason.SOFT_404,
    ),
    "500": ([head(500), probe(500)], Verdict.UNCERTAIN, LinkReason.SERVER_ERROR),
    "503": ([head(503), probe(503)], Verdict.UNCERTAIN, LinkReason.SERVER_ERROR),
    "400": ([head(400), probe(400)], Verdict.UNCERTAIN, LinkReason.CLIENT_ERROR),
    "a loop": (
        [probe(302, ending=ProbeEnding.REDIRECT_LOOP)],
        Verdict.UNCERTAIN,
        LinkReason.REDIRECT_LOOP,
    ),
    "a redirect to nowhere": (
        [probe(302, ending=ProbeEnding.BAD_REDIRECT)],
        Verdict.UNCERTAIN,
        LinkReason.BAD_REDIRECT,
    ),
    "DNS in trouble": ([failed(Failure.DNS)], Verdict.UNCERTAIN, LinkReason.NAME_TROUBLE),
    "a certificate": ([failed(Failure.CERTIFICATE_EXPIRED)], Verdict.UNCERTAIN, LinkReason.TLS_ERROR),
    "not TLS": ([failed(Failure.NOT_TLS)], Verdict.UNCERTAIN, LinkReason.TLS_ERROR),
    "a timeout": ([failed(Failure.TIMEOUT)], Verdict.UNCERTAIN, LinkReason.NO_ANSWER),
    "refused": ([failed(Failure.REFUSED)], Verdict.UNCERTAIN, LinkReason.UNREACHABLE),
    "reset": ([failed(Failure.RESET)], Verdict.UNCERTAIN, LinkReason.UNREACHABLE),
    "no HTTP": ([failed(Failure.PROTOCOL)], Verdict.UNCERTAIN, LinkReason.BAD_ANSWER),
}


@pytest.mark.parametrize(("probes", "verdict", "reason"), TABLE.values(), ids=TABLE)
def test_a_single_check(probes, verdict, reason):
    found = judge(Evidence(URL, tuple(probes)), now=NOW)

    assert (found.verdict, found.reason) == (verdict, reason)


@pytest.mark.parametrize("failure", Failure)
def test_no_failure_of_the_network_alone_is_dead_on_the_first_day(failure):
    assert judge(Evidence(URL, (failed(failure),)), now=NOW).verdict is not Verdict.DEAD


@pytest.mark.parametrize("status", [*range(400, 404), *range(405, 410), *range(411, 600), 999])
def test_no_status_but_404_and_410_is_dead_on_the_first_day(status):
    assert judge(Evidence(URL, (head(status), probe(status))), now=NOW).verdict is Verdict.UNCERTAIN


@pytest.mark.parametrize(
    ("chain", "moved_to"),
    [
        ([(301, "http://shop.test/b")], "http://shop.test/b"),
        ([(308, "http://shop.test/b"), (301, "http://shop.test/c")], "http://shop.test/c"),
        ([(301, "http://shop.test/b"), (302, "http://shop.test/c")], "http://shop.test/b"),
        ([(302, "http://shop.test/b"), (301, "http://shop.test/c")], None),
        ([(307, "http://shop.test/b")], None),
    ],
)
def test_a_link_moves_as_far_as_the_redirects_are_permanent(chain, moved_to):
    found = judge(Evidence(URL, (head(200, hops=hops(*chain)),)), now=NOW)

    assert found.moved_to == moved_to
    assert (found.verdict is Verdict.MOVED) == (moved_to is not None)


@pytest.mark.parametrize(
    ("page", "verdict", "reason"),
    [
        (PageSignals(ids=frozenset({"here"})), Verdict.OK, LinkReason.ANSWERS),
        (PageSignals(ids=frozenset()), Verdict.DEAD, LinkReason.FRAGMENT_MISSING),
        (PageSignals(ids=frozenset(), has_scripts=True), Verdict.UNCERTAIN, LinkReason.FRAGMENT_UNSEEN),
        (PageSignals(ids=frozenset(), is_whole=False), Verdict.UNCERTAIN, LinkReason.FRAGMENT_UNSEEN),
        (PageSignals(ids=None), Verdict.OK, LinkReason.ANSWERS),
    ],
)
def test_a_fragment_is_missing_only_on_a_whole_page_without_scripts(page, verdict, reason):
    found = judge(Evidence(URL, (probe(200, page=page),), fragment="here"), now=NOW)

    assert (found.verdict, found.reason) == (verdict, reason)


def past(hours: float, reason: LinkReason, verdict: Verdict = Verdict.UNCERTAIN) -> PastCheck:
    return PastCheck(NOW - timedelta(hours=hours), verdict, reason)


TIMEOUT = Evidence(URL, (failed(Failure.TIMEOUT),))
OK, BAD = (Verdict.OK, LinkReason.ANSWERS), (Verdict.UNCERTAIN, LinkReason.NO_ANSWER)


def checks(*pairs) -> list[PastCheck]:
    return [PastCheck(NOW - timedelta(hours=hours), *found) for hours, found in pairs]


@pytest.mark.parametrize(
    ("earlier", "verdict", "reason"),
    [
        pytest.param([], Verdict.UNCERTAIN, LinkReason.NO_ANSWER, id="the first failure"),
        pytest.param(checks((2, BAD)), Verdict.UNCERTAIN, LinkReason.NO_ANSWER, id="two hours later"),
        pytest.param(checks((24, BAD)), Verdict.DEAD, LinkReason.NO_ANSWER, id="a day later"),
        pytest.param(checks((48, OK), (24, BAD)), Verdict.DEAD, LinkReason.NO_ANSWER, id="after a success"),
        pytest.param(
            checks((24, BAD), (12, OK)), Verdict.UNCERTAIN, LinkReason.NO_ANSWER, id="a success between"
        ),
        pytest.param(
            checks((72, OK), (48, BAD), (24, OK)), Verdict.UNCERTAIN, LinkReason.FLAPPING, id="flapping"
        ),
        pytest.param(
            checks((120, BAD), (96, OK), (72, BAD), (48, OK), (24, BAD)),
            Verdict.UNCERTAIN,
            LinkReason.FLAPPING,
            id="flapping for days",
        ),
        pytest.param(
            checks((24, (Verdict.UNCERTAIN, LinkReason.BOT_BLOCK))),
            Verdict.UNCERTAIN,
            LinkReason.NO_ANSWER,
            id="a bot block is no failure of the page",
        ),
    ],
)
def test_a_doubtful_failure_needs_a_second_one_a_day_later(earlier, verdict, reason):
    found = judge(TIMEOUT, earlier, now=NOW)

    assert (found.verdict, found.reason) == (verdict, reason)


def test_the_pending_failure_is_remembered():
    assert judge(TIMEOUT, checks((2, BAD)), now=NOW).pending_since == NOW - timedelta(hours=2)
    assert judge(TIMEOUT, now=NOW).pending_since == NOW


@pytest.mark.parametrize(
    "probes", [values[0] for values in TABLE.values() if values[2] in NEVER_DEAD], ids=str
)
def test_answers_about_the_visitor_are_never_dead(probes):
    earlier = checks(*((24 * day, BAD) for day in range(9, 0, -1)))

    assert judge(Evidence(URL, tuple(probes)), earlier, now=NOW).verdict is Verdict.UNCERTAIN
