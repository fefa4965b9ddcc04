"""What headers and feeds say about time: a moment or a number of seconds within reason, or nothing."""

import math
from datetime import UTC, datetime

from outrider.extract.dates.read_date import read_date as read_page_date
from outrider.extract.metadata.directives import from_header, from_meta
from outrider.feeds.dates import read_date as read_feed_date
from outrider.fetch.headers import as_text, keep_alive_s
from outrider.fetch.retry_after import retry_after
from outrider.watch.polling.intervals import fresh_for_s

NOW = datetime(2026, 7, 25, 12, tzinfo=UTC)
CEILING_S = 3600.0


def check(data: bytes) -> None:
    text = as_text(data)
    text.encode()
    wait_s = retry_after(text, NOW, CEILING_S)
    assert wait_s is None or 0 <= wait_s <= CEILING_S
    for at in (read_feed_date(text), read_page_date(text, NOW), read_page_date(text, NOW, day_first=True)):
        assert at is None or (at.tzinfo is not None and at.astimezone(UTC))
    for seconds in (
        keep_alive_s({"keep-alive": text}),
        fresh_for_s({"cache-control": text, "expires": text, "date": text, "age": text}, NOW),
    ):
        assert seconds is None or (math.isfinite(seconds) and seconds >= 0)
    from_header(text, "outrider")
    from_meta(text)
