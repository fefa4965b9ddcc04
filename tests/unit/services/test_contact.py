"""Why no request goes to the public web: the sentence that commands and the server print."""

import pytest

from outrider.fetch.options import FetchOptions
from outrider.services.crawl.contact import missing_contact


@pytest.mark.parametrize(
    ("options", "why"),
    [
        pytest.param({}, "no contact is set", id="nothing is set"),
        pytest.param({"contact": "a@b.test"}, "'a@b.test' is an example and not a contact", id="an example"),
        pytest.param({"user_agent": "Mine/1"}, "OUTRIDER_USER_AGENT names no contact", id="only a name"),
    ],
)
def test_the_missing_contact_is_explained(options, why):
    assert missing_contact(FetchOptions(**options)) == why
