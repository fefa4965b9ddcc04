"""When links are checked, by the kind of their field."""

import pytest

from outrider.links.monitor.hrefs import field_links
from outrider.links.monitor.kinds import CheckMoment, check_moments, kind_of
from outrider.links.monitor.model import LinkKind, LinkType
from outrider.links.reason import LinkReason

INSIDE = {CheckMoment.SAVE, CheckMoment.ITEM_CHANGE}
OUTSIDE = {CheckMoment.SAVE, CheckMoment.WEEKLY}


@pytest.mark.parametrize(
    ("kind", "internal", "external"),
    [
        (LinkKind.NAV, INSIDE, OUTSIDE),
        (LinkKind.FOOTER, INSIDE, OUTSIDE),
        (LinkKind.SOCIAL, INSIDE, OUTSIDE),
        (LinkKind.BANNER, INSIDE, OUTSIDE),
        (LinkKind.RICH_TEXT, INSIDE, OUTSIDE),
        (LinkKind.SYNCED, INSIDE, OUTSIDE),
        (LinkKind.RENDERED, INSIDE, OUTSIDE),
        (LinkKind.OTHER, INSIDE, OUTSIDE),
        (LinkKind.EMAIL, {CheckMoment.FORMAT}, {CheckMoment.FORMAT}),
    ],
)
def test_when_a_link_is_checked(kind, internal, external):
    assert check_moments(kind, LinkType.INTERNAL) == internal
    assert check_moments(kind, LinkType.EXTERNAL) == external


def test_every_kind_is_in_the_table():
    [mark] = test_when_a_link_is_checked.pytestmark
    assert {row[0] for row in mark.args[1]} == set(LinkKind)


@pytest.mark.parametrize(
    ("source_key", "kind"),
    [
        ("nav.about", LinkKind.NAV),
        ("nav", LinkKind.NAV),
        ("settings.nav_2", LinkKind.NAV),
        ("navy.shirt", LinkKind.OTHER),
        ("settings.footer_link_1", LinkKind.FOOTER),
        ("footer", LinkKind.FOOTER),
        ("social.mastodon", LinkKind.SOCIAL),
        ("settings.social_url", LinkKind.SOCIAL),
        ("banner.summer", LinkKind.BANNER),
        ("settings.announcement_url", LinkKind.BANNER),
        ("page:/x#body", LinkKind.RICH_TEXT),
        ("post:17", LinkKind.RICH_TEXT),
        ("synced:product-7", LinkKind.SYNCED),
        ("description.7", LinkKind.SYNCED),
        ("email", LinkKind.EMAIL),
        ("settings.contact_email", LinkKind.EMAIL),
        ("mailbox", LinkKind.OTHER),
        ("hero", LinkKind.OTHER),
    ],
)
def test_the_name_of_a_field_says_what_it_is(source_key, kind):
    assert kind_of(source_key) is kind


def test_a_given_kind_wins_over_the_name():
    assert kind_of("nav.about", LinkKind.SYNCED) is LinkKind.SYNCED


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("info@shop.test", LinkReason.EMAIL_FORMAT),
        ("mailto:info@shop.test?subject=x", LinkReason.EMAIL_FORMAT),
        ("info@shop", LinkReason.BAD_EMAIL),
        ("info", LinkReason.BAD_EMAIL),
        ("https://shop.test/contact", LinkReason.BAD_EMAIL),
        ("mailto:", LinkReason.BAD_EMAIL),
    ],
)
def test_e_mail_addresses_are_judged_by_their_spelling_alone(text, reason):
    [link] = field_links([text], "https://shop.test", LinkKind.EMAIL)

    assert (link.fixed, link.key) == (reason, None)
