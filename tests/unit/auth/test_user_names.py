"""Names of users, and what counts as the same name."""

import pytest

from outrider.auth.user_names import check_name, name_key
from outrider.errors import InvalidInput


@pytest.mark.parametrize("name", ["ann", "Ann.B-c_d", "ann@example.com", "a+b", "Ünïcode", "x" * 100])
def test_usual_names_are_accepted(name: str):
    assert check_name(name) == name


@pytest.mark.parametrize("name", ["", " ", "a b", "a/b", "a\nb", "a\x00b", "<b>", "x" * 101, "a\ud800"])
def test_other_names_are_refused_with_what_is_allowed(name: str):
    with pytest.raises(InvalidInput, match="letters, digits"):
        check_name(name)


def test_names_that_differ_by_case_or_form_are_one_name():
    assert name_key("ANN") == name_key("ann")
    assert name_key("STRASSE") == name_key("Straße")
    assert name_key("ａｎｎ") == name_key("ann")
    assert name_key("ann") != name_key("anna")
