"""Settings with which no worker could work. Pure, but for a look at the compiled scan."""

from outrider.crawl.options import ScanChoice
from outrider.errors import Misconfigured
from outrider.frontier.lease import MARGIN_S
from outrider.settings.load import Settings


def check_worker_settings(settings: Settings) -> None:
    """Raises Misconfigured. A command calls it before it starts workers, which would all fail one by one."""
    needed = settings.fetch.timeout_s + MARGIN_S
    if settings.frontier.lease_s <= needed:
        raise Misconfigured(
            f"OUTRIDER_LEASE is {settings.frontier.lease_s:g} s, but a request may take {needed:g} s: "
            "make the lease longer, or OUTRIDER_TIMEOUT shorter"
        )
    if settings.crawl.scan is ScanChoice.NATIVE:
        # The code of pages is large, and a command has no other use for it.
        from outrider.extract.native.choice import require_scan

        require_scan(settings.crawl.scan)
