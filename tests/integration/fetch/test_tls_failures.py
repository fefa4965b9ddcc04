"""What a user is told of a server with whom TLS comes to nothing: a name for it, and what to do."""

import asyncio
import socket
import ssl
import struct
import threading

import pytest
from tests.support.hostile import Hostile, page

from outrider.fetch import Failed, Failure, Request


@pytest.mark.parametrize(
    ("certificate", "asked", "is_told_of_authority", "failure"),
    [
        pytest.param("secure.test", "secure.test", False, Failure.CERTIFICATE_SELF_SIGNED, id="self-signed"),
        pytest.param("vouched.test", "vouched.test", False, Failure.CERTIFICATE_UNKNOWN_ISSUER, id="issuer"),
        pytest.param("vouched.test", "other.test", True, Failure.CERTIFICATE_WRONG_NAME, id="other name"),
        pytest.param("vouched.test", "127.0.0.1", True, Failure.CERTIFICATE_WRONG_NAME, id="no address"),
        pytest.param("expired.test", "expired.test", True, Failure.CERTIFICATE_EXPIRED, id="expired"),
        pytest.param("early.test", "early.test", True, Failure.CERTIFICATE_NOT_YET_VALID, id="too early"),
        pytest.param("visitor.test", "visitor.test", True, Failure.CERTIFICATE_INVALID, id="for clients"),
    ],
)
async def test_a_certificate_is_refused_by_name_before_anything_is_asked(
    tls_as, make_fetcher, authority, certificate, asked, is_told_of_authority, failure
):
    fetcher = make_fetcher(ca_file=authority if is_told_of_authority else None)
    async with Hostile(tls=tls_as(certificate)) as server:
        outcome = await fetcher.fetch(Request(server.url("/", host=asked)))

    assert isinstance(outcome, Failed)
    assert outcome.failure is failure
    assert outcome.message.startswith(failure.sentence)
    assert server.seen == []


async def test_a_failure_without_a_name_of_its_own_comes_with_the_librarys_words(
    tls_as, make_fetcher, authority
):
    async with Hostile(tls=tls_as("visitor.test")) as server:
        outcome = await make_fetcher(ca_file=authority).fetch(Request(server.url("/", host="visitor.test")))

    assert "purpose" in outcome.message


@pytest.mark.parametrize(
    ("first_bytes", "failure"),
    [
        pytest.param(page(b"plain"), Failure.NOT_TLS, id="HTTP"),
        pytest.param(b"SSH-2.0-OpenSSH_9.2\r\n", Failure.NOT_TLS, id="SSH"),
        pytest.param(bytes(range(256)), Failure.NOT_TLS, id="noise"),
        pytest.param(b"\x15\x03\x03\x00\x02\x02\x28", Failure.TLS, id="an alert: handshake failure"),
        pytest.param(b"\x16\x03\x03\x00\x7a\x02\x00", Failure.RESET, id="half a greeting"),
        pytest.param(b"", Failure.RESET, id="nothing"),
    ],
)
async def test_what_answers_a_greeting_has_a_name(fetcher, first_bytes, failure):
    async def answer(reader, writer):
        await reader.read(1000)
        writer.write(first_bytes)
        writer.close()

    outcome = await _fetch_from(answer, fetcher)

    assert outcome.failure is failure


async def test_a_connection_that_breaks_within_the_handshake_is_a_broken_connection(fetcher):
    async def answer(reader, writer):
        await reader.read(1000)
        writer.get_extra_info("socket").setsockopt(
            socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)
        )
        writer.transport.abort()

    outcome = await _fetch_from(answer, fetcher)

    assert outcome.failure is Failure.RESET


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion:DeprecationWarning")
async def test_a_server_that_speaks_only_old_versions_is_too_old(tls_as, fetcher):
    context = tls_as("secure.test")
    context.set_ciphers("ALL:@SECLEVEL=0")
    context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_1
    with socket.create_server(("127.0.0.1", 0)) as listening:
        # On a thread: the servers of the event loops hang up without the alert that others send.
        serving = threading.Thread(target=_shake_hands_once, args=(listening, context))
        serving.start()
        outcome = await fetcher.fetch(Request(f"https://127.0.0.1:{listening.getsockname()[1]}/"))
        serving.join()

    assert outcome.failure is Failure.TLS_TOO_OLD


def _shake_hands_once(listening, context):
    peer, _ = listening.accept()
    with pytest.raises(ssl.SSLError), context.wrap_socket(peer, server_side=True):
        pass


async def _fetch_from(answer, fetcher):
    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        return await fetcher.fetch(Request(f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/"))
