"""Style attributes."""

import pytest

from outrider.feeds.style import safe_style


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("color:red", "color: red;"),
        ("COLOR : #f00; width:50%", "color: #f00; width: 50%;"),
        ("position:fixed; top:0; z-index:9; color:red", "color: red;"),
        ("background:url(x); background-color:url(x)", ""),
        ("width:expression(alert(1))", ""),
        ("color:red/**/;width:1px", "width: 1px;"),
        ("color:\\72 ed", ""),
        ("behavior:url(x); -moz-binding:url(y)", ""),
        (";;:;a", ""),
    ],
)
def test_only_looks_are_kept(written, kept):
    assert safe_style(written) == kept
