import pytest

from outrider.urls import DEFAULT_TRACKING


@pytest.mark.parametrize(
    "name", ["utm_source", "utm_x", "utm_", "fbclid", "gclid", "gclsrc", "dclid", "msclkid", "ref", "source"]
)
def test_what_is_tracking_by_default(name):
    assert DEFAULT_TRACKING.covers(name)


@pytest.mark.parametrize("name", ["utm", "UTM_source", "Ref", "reference", "resource", "gclid2", "id", ""])
def test_what_is_not(name):
    assert not DEFAULT_TRACKING.covers(name)


def test_a_source_can_keep_names():
    tracking = DEFAULT_TRACKING.keep("ref", "utm_id")

    assert not tracking.covers("ref")
    assert not tracking.covers("utm_id")
    assert tracking.covers("utm_source")


def test_a_source_can_keep_a_family():
    assert not DEFAULT_TRACKING.keep("utm_*").covers("utm_source")


def test_a_source_can_add_names_and_families():
    tracking = DEFAULT_TRACKING.add("sid", "mc_*")

    assert tracking.covers("sid")
    assert tracking.covers("mc_eid")
    assert tracking.covers("ref")


def test_what_was_kept_can_be_dropped_again():
    assert DEFAULT_TRACKING.keep("ref").add("ref").covers("ref")
