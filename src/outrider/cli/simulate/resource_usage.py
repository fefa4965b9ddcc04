"""Time and memory of a simulation. They vary from run to run, so they are not part of the report."""

import resource
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from outrider.cli.output import errors
from outrider.wording import size, span

_RSS_UNIT = 1 if sys.platform == "darwin" else 1024


@contextmanager
def report_resource_usage() -> Iterator[None]:
    """Print time and memory on standard error at the end."""
    began_s = time.monotonic()
    yield
    usage = resource.getrusage(resource.RUSAGE_SELF)
    took, cpu = span(time.monotonic() - began_s), span(usage.ru_utime + usage.ru_stime)
    peak = size(usage.ru_maxrss * _RSS_UNIT)
    errors().print(f"took {took}: {cpu} of CPU beside PostgreSQL's, {peak} of memory", style="dim")
