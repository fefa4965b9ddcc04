"""A worker process keeps the memory that one page frees for the next page."""

import subprocess
import sys

MEASURE = """
import resource
import sys

from outrider.extract.scan import scan
from outrider.workers.memory import tune_memory

if sys.argv[1] == "tuned":
    tune_memory()
page = b"<p>" + b"<a href=/x>word</a> <i>word</i> " * 2000
for _ in range(20):
    scan(page, "http://site.test/")
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(100):
    scan(page, "http://site.test/")
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def page_faults(how: str) -> int:
    done = subprocess.run([sys.executable, "-c", MEASURE, how], capture_output=True, text=True, check=True)
    return int(done.stdout)


def test_pages_reuse_memory_after_tuning():
    untuned = page_faults("untuned")
    tuned = page_faults("tuned")

    assert tuned < 100  # less than one a page
    assert tuned < untuned
