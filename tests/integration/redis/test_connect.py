"""The client meets real servers: one that works, one that is away, a silent one and a locked one."""

import asyncio
from itertools import pairwise

import pytest
from tests.support.redis_server import RedisServer, valkey_server

from outrider.errors import Misconfigured, Unavailable
from outrider.redis.address import Address
from outrider.redis.connect import asking, connect
from outrider.redis.options import RedisOptions


async def test_a_client_keeps_what_it_is_given_in_its_own_database(redis_server: RedisServer):
    first, second = (connect(RedisOptions(redis_server.options.address, db=db)) for db in (0, 3))

    await first.set("word", "one")

    assert await first.get("word") == b"one"
    assert await second.get("word") is None
    await first.aclose()
    await second.aclose()


async def test_a_server_that_came_back_is_found_by_the_same_client(redis_server: RedisServer):
    client = connect(redis_server.options)
    await client.ping()
    redis_server.stop()

    with (
        pytest.raises(Unavailable, match="nothing answers as Redis at unix://"),
        asking(redis_server.options.address),
    ):
        await client.ping()
    redis_server.start()

    assert await client.ping()
    await client.aclose()


async def test_a_command_is_tried_three_times_a_tenth_of_a_second_apart(redis_server: RedisServer):
    """The server closes the connection twice, in the middle of a command, and answers the third time."""
    asked: list[float] = []

    async def hang_up_twice(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while await reader.readuntil(b"PING\r\n"):
            asked.append(asyncio.get_running_loop().time())
            if len(asked) < 3:
                break
            writer.write(b"+PONG\r\n")
        writer.close()

    async with await asyncio.start_server(hang_up_twice, "127.0.0.1", 0) as server:
        host, port = server.sockets[0].getsockname()
        client = connect(RedisOptions(Address(host, port)))
        client.connection_pool.connection_kwargs["driver_info"] = None

        assert await client.ping()
        await client.aclose()

    assert len(asked) == 3
    assert all(later - earlier >= 0.1 for earlier, later in pairwise(asked))


async def test_after_three_tries_it_is_given_up(redis_server: RedisServer):
    connections = 0

    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        writer.close()

    async with await asyncio.start_server(hang_up, "127.0.0.1", 0) as server:
        address = Address(*server.sockets[0].getsockname())
        client = connect(RedisOptions(address))
        with pytest.raises(Unavailable), asking(address):
            await client.ping()
        await client.aclose()

    assert connections <= 9  # a try opens a connection, which is tried three times itself


async def test_a_silent_server_is_not_waited_for_long(redis_server: RedisServer):
    client = connect(redis_server.options, connect_s=0.2, answer_s=0.2)

    with (
        redis_server.frozen(),
        pytest.raises(Unavailable, match="in time"),
        asking(redis_server.options.address),
    ):
        await client.ping()

    await client.aclose()


async def test_the_password_is_used_and_its_lack_is_said():
    with valkey_server(password="s3cret") as server:
        locked_out, let_in = connect(RedisOptions(server.options.address)), connect(server.options)

        with pytest.raises(Misconfigured, match="OUTRIDER_REDIS_PASSWORD"), asking(server.options.address):
            await locked_out.ping()
        assert await let_in.ping()

        await locked_out.aclose()
        await let_in.aclose()


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        (Address("127.0.0.1", 1), "redis://127.0.0.1:1: Connect"),
        (Address("nowhere.invalid"), "does not resolve"),
        (Address(path="/nowhere/valkey.sock"), "unix:///nowhere/valkey.sock: No such file"),
    ],
)
async def test_where_nothing_listens_one_sentence_says_so(address, sentence):
    client = connect(RedisOptions(address))

    with pytest.raises(Unavailable, match=sentence), asking(address):
        await client.ping()
    await client.aclose()
