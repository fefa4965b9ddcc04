import pytest

from outrider.extract.native.choice import load
from outrider.extract.native.library import Library
from outrider.extract.native.sources import BUILT


@pytest.fixture(scope="module")
def library() -> Library:
    found = load(BUILT)
    if found.library is None:
        pytest.skip(f"there is no compiled scan: {found.why}")
    return found.library
