"""`/api/internal/v1/fetch`: a page for programs with the internal secret."""

import pytest
from tests.support.api import api_on
from tests.support.newsroom import Answer, MovableClock, Newsroom
from tests.support.prose import prose

PATH = "/api/internal/v1/fetch"
ARTICLE = "/news/the-bridge-opens"


@pytest.fixture
async def room():
    async with Newsroom(MovableClock()) as opened:
        text = f"<title>The Bridge</title><article><p>{prose('b', 120)}</p></article>"
        opened.publish(
            ARTICLE, Answer(body=text.encode(), headers={"Content-Type": "text/html; charset=utf-8"})
        )
        yield opened


@pytest.fixture
async def internal(pool, database):
    """The API of a server that has an internal secret."""
    made = api_on(pool, internal_secret="a" * 40, allow_private="127.0.0.0/8", delay="0")
    made.context.parts["dsn"] = database
    async with made.client:
        yield made


async def fetch(api, role="service", **body):
    return await api.post(PATH, body, role=role)


async def test_the_content_of_a_page_is_returned(internal, room):
    answer = await fetch(internal, url=room.origin() + ARTICLE)

    told = answer.json()
    assert (answer.status_code, told["ok"], told["status"], told["outcome"]) == (200, True, 200, "fetched")
    assert told["title"] == "The Bridge"
    assert told["words"] > 100
    assert room.asked("/robots.txt")


async def test_robots_txt_is_obeyed(internal, room):
    room.publish("/robots.txt", Answer(body=b"User-agent: *\nDisallow: /"))

    told = (await fetch(internal, url=room.origin() + ARTICLE)).json()

    assert (told["ok"], told["outcome"], told["text"]) == (False, "robots_blocked", None)
    assert room.asked(ARTICLE) == []


async def test_a_private_address_is_not_requested(pool, database, room):
    api = api_on(pool, internal_secret="a" * 40)
    api.context.parts["dsn"] = database
    async with api.client:
        told = (await fetch(api, url=room.origin() + ARTICLE)).json()

    assert (told["ok"], told["outcome"]) == (False, "refused")
    assert room.asked() == []


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"url": "http://127.0.0.1/", "timeout": 31}, 422),
        ({"url": "http://127.0.0.1/", "timeout": 0}, 422),
        ({"url": "file:///etc/passwd"}, 400),
        ({}, 422),
        ({"url": "https://example.com/"}, 400),
    ],
)
async def test_a_wrong_request_is_refused(internal, body, status):
    assert (await fetch(internal, **body)).status_code == status


@pytest.mark.parametrize(("role", "status"), [("admin", 403), ("user", 403), ("anonymous", 401)])
async def test_only_the_internal_secret_opens_it(internal, role, status):
    assert (await fetch(internal, role, url="http://127.0.0.1/")).status_code == status


async def test_without_the_secret_there_is_no_such_address(api):
    assert (await fetch(api, url="http://127.0.0.1/")).status_code == 404
