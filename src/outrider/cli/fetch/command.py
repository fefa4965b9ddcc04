"""`outrider fetch`: fetch one URL as a crawl would, and show the response."""

from typing import Annotated

import typer

from outrider.cli.contact import require_contact
from outrider.cli.options import Config, Contact, Data, Json
from outrider.cli.output import FAILED, print_json
from outrider.cli.polite_fetch import fetch_for_command
from outrider.cli.running import load_settings, run
from outrider.crawl.politeness.fetch_result import FetchResult
from outrider.crawl.politeness.single_fetch import Limits
from outrider.services.as_json import as_json
from outrider.services.fetch.fetch import FetchedUrl, fetch_url, options_within
from outrider.settings import Loaded
from outrider.urls.typed import address_of

LONGEST_S = 3_600.0


def fetch(
    url: Annotated[str, typer.Argument(metavar="URL", show_default=False)],
    timeout: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            min=0.1,
            max=LONGEST_S,
            help="Timeout of one request, from name lookup to body.",
            show_default=False,
        ),
    ] = None,
    max_bytes: Annotated[
        int | None,
        typer.Option(
            min=1, max=1 << 30, help="Largest body, on the wire and decompressed.", show_default=False
        ),
    ] = None,
    max_redirects: Annotated[
        int | None, typer.Option(min=0, max=50, help="Redirects to follow.", show_default=False)
    ] = None,
    ignore_robots: Annotated[
        bool, typer.Option("--ignore-robots", help="Ignore robots.txt, for sites you own.")
    ] = False,
    body: Annotated[
        bool, typer.Option("--body", help="Write only the body; with --json, add it as body_b64.")
    ] = False,
    contact: Contact = None,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Fetch one URL and show everything about the answer.

    The page is not stored. robots.txt is checked first, redirects are followed, and requests to one host
    keep its delay. If there is a database, the host is leased, so no worker requests it meanwhile. The exit
    code is 0 for a 2xx (or 304) response within the limits, and 1 for everything else.
    """
    address = address_of(url)
    loaded = load_settings(config, data=data, contact=contact)
    settings = loaded.settings
    require_contact(settings.fetch, [address])
    limits = Limits(
        max_redirects=settings.fetch.max_redirects if max_redirects is None else max_redirects,
        timeout_s=timeout,
        max_bytes=max_bytes,
        ignore_robots=ignore_robots or not settings.crawl.respect_robots,
        follow_redirects=settings.fetch.follow_redirects,
    )
    single = run(_fetch(address, loaded, limits))
    if json:
        print_json(as_json(FetchedUrl(single, with_body=body)))
    else:
        from outrider.cli.fetch.report import report

        report(single, settings, with_body=body)
    if not single.is_ok:
        raise typer.Exit(FAILED)


async def _fetch(address: str, loaded: Loaded, limits: Limits) -> FetchResult:
    options = options_within(loaded.settings.fetch, limits)
    async with fetch_for_command(loaded, limits, options, database_is_optional=True) as fetch_one:
        return await fetch_url(fetch_one, address)
