"""Pages to extract from may not be where they were looked for."""

import pytest
from benchmarks import extract


def test_a_folder_without_pages_is_reported(tmp_path):
    with pytest.raises(SystemExit, match=f"benchmarks: no pages in {tmp_path}"):
        extract.report(tmp_path)
