"""Forms we send: one POST each, under the same guard and the same deadline as a page."""

from urllib.parse import parse_qsl

import pytest
from tests.support.hostile import Hostile, Step, head, page

from outrider.fetch import Failed, Failure, Fetched, Redirected, Refusal, Refused, Rejected, Request

FORM = {"hub.mode": "subscribe", "hub.topic": "http://a.test/feed?a=1&b=2", "name": "Zoë +"}


async def test_a_form_is_posted_with_every_field_as_it_was(server, fetcher):
    url = server.says("/hub", page(b"ok", "202 Accepted"))

    outcome = await fetcher.fetch(Request(url, form=FORM))

    assert isinstance(outcome, Fetched)
    assert (outcome.exchange.status, outcome.body) == (202, b"ok")
    (seen,) = server.seen
    assert (seen.method, seen.target) == ("POST", "/hub")
    assert seen.headers["content-type"] == "application/x-www-form-urlencoded"
    assert dict(parse_qsl(seen.body.decode("ascii"))) == FORM


async def test_a_request_without_a_form_stays_a_get(server, fetcher):
    await fetcher.fetch(Request(server.says("/", page(b""))))

    assert [(seen.method, seen.body) for seen in server.seen] == [("GET", b"")]


@pytest.mark.parametrize("status", ["301 Moved", "307 Temporary Redirect", "308 Permanent Redirect"])
async def test_a_form_does_not_follow_a_redirect(server, fetcher, status):
    url = server.says("/hub", head(status, location="/other", content_length=0))

    outcome = await fetcher.fetch(Request(url, form=FORM))

    assert isinstance(outcome, Redirected)
    assert [seen.target for seen in server.seen] == ["/hub"]


async def test_a_refusal_is_an_answer(server, fetcher):
    outcome = await fetcher.fetch(Request(server.says("/hub", page(b"no", "403 Forbidden")), form=FORM))

    assert isinstance(outcome, Rejected)


@pytest.mark.parametrize("end", [[], [Step.RESET]], ids=["closed", "broken"])
async def test_a_form_is_never_sent_twice(server, fetcher, end):
    url = server.says("/hub", page(b""), Step.KEEP)
    server.says("/hub", *end)

    first = await fetcher.fetch(Request(url, form=FORM))
    on_kept = await fetcher.fetch(Request(url, form=FORM))
    on_fresh = await fetcher.fetch(Request(url, form=FORM))

    assert isinstance(first, Fetched)
    assert isinstance(on_kept, Failed)
    assert isinstance(on_fresh, Failed)
    assert [seen.connection for seen in server.seen] == [1, 1, 2]


async def test_a_form_has_the_deadline_of_a_page(server, fetcher):
    outcome = await fetcher.fetch(Request(server.says("/hub", Step.HANG), form=FORM, timeout_s=0.2))

    assert isinstance(outcome, Failed)
    assert outcome.failure is Failure.TIMEOUT


async def test_a_form_is_not_sent_inside(server, make_fetcher):
    url = server.says("/hub", page(b""))

    outcome = await make_fetcher(allow_private=()).fetch(Request(url, form=FORM))

    assert isinstance(outcome, Refused)
    assert outcome.refusal is Refusal.BLOCKED_ADDRESS
    assert server.connections == 0


async def test_a_form_goes_through_the_proxy(make_fetcher):
    async with Hostile() as proxy:
        proxy.says("http://hub.test/", page(b"", "202 Accepted"))

        outcome = await make_fetcher(proxies=(f"http://127.0.0.1:{proxy.port}",)).fetch(
            Request("http://hub.test/", form=FORM)
        )

        assert isinstance(outcome, Fetched)
        assert [(seen.method, dict(parse_qsl(seen.body.decode()))) for seen in proxy.seen] == [("POST", FORM)]
