"""What simulating took of this machine, which is another each time and so no part of a report."""

import resource
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from outrider.cli.output import errors
from outrider.wording import size, span

_RSS_UNIT = 1 if sys.platform == "darwin" else 1024


@contextmanager
def expense_told() -> Iterator[None]:
    """On standard error, once all is done."""
    began_s = time.monotonic()
    yield
    usage = resource.getrusage(resource.RUSAGE_SELF)
    took, cpu = span(time.monotonic() - began_s), span(usage.ru_utime + usage.ru_stime)
    peak = size(usage.ru_maxrss * _RSS_UNIT)
    errors().print(f"took {took}: {cpu} of CPU beside PostgreSQL's, {peak} of memory", style="dim")
