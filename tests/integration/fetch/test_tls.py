"""Whom we believe."""

from structlog.testing import capture_logs

from outrider.fetch import Failed, Failure, Fetched, Request


async def test_a_certificate_of_a_configured_authority_is_valid(secure, make_fetcher, authority):
    fetcher = make_fetcher(ca_file=authority)

    outcome = await fetcher.fetch(Request(secure.url("/", host="secure.test")))
    await fetcher.fetch(Request(secure.url("/", host="secure.test")))

    assert isinstance(outcome, Fetched)
    assert outcome.exchange.address == "127.0.0.1"
    assert secure.connections == 1


async def test_an_unknown_certificate_is_not_believed(secure, fetcher):
    outcome = await fetcher.fetch(Request(secure.url("/", host="secure.test")))

    assert isinstance(outcome, Failed)
    assert outcome.failure is Failure.CERTIFICATE_SELF_SIGNED
    assert secure.seen == []


async def test_verification_can_be_switched_off_for_development(secure, make_fetcher):
    with capture_logs() as lines:
        fetcher = make_fetcher(insecure_skip_verify=True)

    assert isinstance(await fetcher.fetch(Request(secure.url("/", host="other.test"))), Fetched)
    assert [(line["log_level"], line["setting"]) for line in lines] == [
        ("warning", "OUTRIDER_TLS_INSECURE_SKIP_VERIFY")
    ]


async def test_a_handshake_that_never_ends_is_cut_off_by_the_deadline(server, fetcher):
    outcome = await fetcher.fetch(Request(f"https://127.0.0.1:{server.port}/", timeout_s=0.3))

    assert isinstance(outcome, Failed)
    assert outcome.failure is Failure.TIMEOUT
    await server.until_open(0)
