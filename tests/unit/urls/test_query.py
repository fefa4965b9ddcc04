import pytest

from outrider.urls.query import tidy_query
from outrider.urls.tracking import Tracking


@pytest.mark.parametrize(
    ("written", "tidy"),
    [
        ("z=1&a=2&m", "a=2&m&z=1"),
        ("a[]=2&a[]=1&a=0", "a=0&a[]=2&a[]=1"),
        ("%C3%A9=1&z=2", "z=2&%C3%A9=1"),
        ("b+c=1&b%20c=2&a=3", "a=3&b+c=1&b%20c=2"),
        ("==&=a&b", "==&=a&b"),
        ("sid=1&b=2", "b=2"),
        ("sid", ""),
        ("side=1", "side=1"),
    ],
)
def test_parameters_have_one_order(written, tidy):
    assert tidy_query(written, Tracking.of("sid")) == tidy
