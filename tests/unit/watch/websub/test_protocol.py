"""What a hub is told, and what it has to prove."""

import hashlib
import hmac

import pytest

from outrider.watch.websub.protocol import callback_of, granted_s, is_signed, is_token, subscription, token_of

SECRET = "between us"
BODY = b"<rss/>"
DAY = 86_400.0


def sign(method: str, secret: str = SECRET, body: bytes = BODY) -> str:
    return f"{method}={hmac.new(secret.encode(), body, method).hexdigest()}"


@pytest.mark.parametrize("method", ["sha1", "sha256", "sha384", "sha512"])
def test_a_push_signed_with_the_secret_is_believed(method: str):
    assert is_signed(SECRET, BODY, sign(method))


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "sha256=",
        "sha256",
        sign("sha256", secret="another"),
        sign("sha256", body=b"<rss>changed</rss>"),
        sign("md5"),
        sign("sha256").replace("sha256", "sha512"),
        "sha256=\udcff\u00e9",
        "=" + hashlib.sha256(BODY).hexdigest(),
    ],
)
def test_anything_else_is_not(header: str | None):
    assert not is_signed(SECRET, BODY, header)


def test_a_subscription_names_topic_callback_secret_and_lease():
    assert subscription("https://we.test/x", "https://a.test/feed", SECRET) == {
        "hub.mode": "subscribe",
        "hub.callback": "https://we.test/x",
        "hub.topic": "https://a.test/feed",
        "hub.secret": SECRET,
        "hub.lease_seconds": "604800",
    }


def test_the_callback_proves_that_we_gave_it_and_does_not_show_the_secret():
    callback = callback_of("https://we.test/hub/", 7, SECRET)

    assert callback == f"https://we.test/hub/7/{token_of(SECRET)}"
    assert SECRET not in callback
    assert is_token(SECRET, token_of(SECRET))
    assert not is_token("another", token_of(SECRET))


@pytest.mark.parametrize(
    ("granted", "expected_s"),
    [
        ("864000", 10 * DAY),
        ("0", 300),
        ("99999999999", 30 * DAY),
        (None, 7 * DAY),
        ("soon", 7 * DAY),
        ("-5", 7 * DAY),
        ("\u0663", 7 * DAY),
    ],
)
def test_a_hub_is_believed_within_reason_how_long_it_will_push(granted: str | None, expected_s: float):
    assert granted_s({} if granted is None else {"hub.lease_seconds": granted}) == expected_s
