"""How long a hub is left alone that did not take a subscription."""

import pytest

from outrider.fetch import Exchange, Failed, Failure, Redirected, Refusal, Refused, Rejected
from outrider.watch.websub.subscribe import DOWN_S, REFUSED_S, rest_s

HUB = "https://hub.test/"


def answered(status: int) -> Exchange:
    return Exchange(HUB, status, {}, 1)


@pytest.mark.parametrize(
    ("outcome", "rest"),
    [
        (Failed(HUB, Failure.TIMEOUT, "", 1), DOWN_S),
        (Rejected(answered(503)), DOWN_S),
        (Rejected(answered(429)), DOWN_S),
        (Rejected(answered(503), retry_after_s=60), DOWN_S),
        (Rejected(answered(429), retry_after_s=7200), 7200),
        (Rejected(answered(403)), REFUSED_S),
        (Rejected(answered(404), retry_after_s=60), REFUSED_S),
        (Redirected(answered(308), "/new", f"{HUB}new"), REFUSED_S),
        (Refused(HUB, Refusal.BLOCKED_ADDRESS, ""), REFUSED_S),
    ],
)
def test_a_hub_that_is_down_is_asked_sooner_than_one_that_refuses(outcome, rest):
    assert rest_s(outcome) == rest
