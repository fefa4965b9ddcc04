"""Tests of the scan run with the compiled scan, where there is one, and with the one in Python."""

from collections.abc import Iterator

import pytest

from outrider.extract.native.choice import choose_scan


@pytest.fixture(params=["auto", "python"])
def each_scan(request: pytest.FixtureRequest) -> Iterator[None]:
    choose_scan(request.param)
    yield
    choose_scan("auto")
