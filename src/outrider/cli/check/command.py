"""`outrider check`: check links of pages, files, folders and sitemaps once."""

import sys
from dataclasses import replace
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from outrider.cli.check.progress import ProgressLine
from outrider.cli.contact import require_contact
from outrider.cli.options import Config, Contact, Data, Json, Quiet
from outrider.cli.output import FAILED, print_json, say
from outrider.cli.polite_fetch import session_for_command
from outrider.cli.running import load_settings, run
from outrider.crawl.politeness.single_fetch import Limits
from outrider.durations import seconds_of
from outrider.errors import InvalidInput
from outrider.links.cache import LinkCache
from outrider.links.checked import CheckSummary
from outrider.links.selection import selection_of
from outrider.links.targets import targets_of
from outrider.services.as_json import as_json
from outrider.services.sites.link_check import CheckRequest, FileLinks, check_links, read_files
from outrider.settings import Loaded


class CheckFormat(StrEnum):
    """How the result is written."""

    TEXT = "text"
    JSON = "json"
    JUNIT = "junit"
    GITHUB = "github"


def check(
    targets: Annotated[
        list[str] | None, typer.Argument(metavar="URL|FILE|DIR|SITEMAP|-", show_default=False)
    ] = None,
    site: Annotated[
        str | None,
        typer.Option(
            metavar="URL|DIR", help="Check every link on the pages of this site.", show_default=False
        ),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option(metavar="REGEX", help="Do not check links that match; repeatable.", show_default=False),
    ] = None,
    include: Annotated[
        list[str] | None,
        typer.Option(metavar="REGEX", help="Check only links that match; repeatable.", show_default=False),
    ] = None,
    exclude_path: Annotated[
        list[str] | None,
        typer.Option(metavar="GLOB", help="Do not read files that match; repeatable.", show_default=False),
    ] = None,
    root: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Links that begin with / start here.", show_default=False),
    ] = None,
    cache: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep results here for the next run.", show_default=False),
    ] = None,
    cache_age: Annotated[
        str, typer.Option(metavar="DURATION", help="Ask again for links that worked after this time.")
    ] = "1d",
    timeout: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", min=0.1, max=300, help="Timeout of one request.", show_default=False),
    ] = None,
    max_pages: Annotated[int, typer.Option(min=1, max=1_000_000, help="Pages of a --site to read.")] = 1_000,
    offline: Annotated[bool, typer.Option("--offline", help="Check only links between files.")] = False,
    ignore_robots: Annotated[
        bool, typer.Option("--ignore-robots", help="Ignore robots.txt, for sites you own.")
    ] = False,
    format_: Annotated[
        CheckFormat, typer.Option("--format", help="How to write the result.")
    ] = CheckFormat.TEXT,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="List links that work, too.")] = False,
    contact: Contact = None,
    json: Json = False,
    quiet: Quiet = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Check links: are they ok, moved, dead or uncertain?

    A web address is checked itself. The links of a file, a folder of HTML and Markdown, a sitemap, a list of
    addresses (`-` for standard input) or a --site are checked. robots.txt is obeyed, and each host gets one
    request at a time and keeps its delay. A link is dead only with proof; doubtful answers are uncertain. The
    exit code is 1 if anything is dead.
    """
    listed = sys.stdin.read() if targets and "-" in targets else ""
    wanted = targets_of(targets or [], site=site, root=root, listed=listed)
    selection = selection_of(exclude or [], include or [], exclude_path or [])
    loaded = load_settings(config, data=data, contact=contact)
    options = loaded.settings.links
    if timeout is not None:
        options = replace(options, timeout_s=timeout)
    request = CheckRequest(wanted, selection, options, max_pages, offline)
    found = read_files(request)
    for sentence in found.unread:
        say(sentence)
    if not offline:
        asked = [*wanted.urls, *found.web, *(name for name in wanted.sitemaps if "://" in name)]
        require_contact(loaded.settings.fetch, [*asked, *([wanted.site] if wanted.site else [])])
    known = _cache(cache, cache_age)
    wanted_format = CheckFormat.JSON if json else format_
    try:
        summary = run(_check(loaded, request, found, known, ignore_robots=ignore_robots, quiet=quiet))
    except KeyboardInterrupt:
        kept = "" if cache is None else f"; {cache} has what is known so far"
        say(f"interrupted before all links were checked{kept}")
        raise typer.Exit(FAILED) from None
    _write(summary, wanted_format, verbose=verbose, quiet=quiet)
    if summary.has_dead:
        raise typer.Exit(FAILED)


async def _check(
    loaded: Loaded,
    request: CheckRequest,
    found: FileLinks,
    cache: LinkCache | None,
    *,
    ignore_robots: bool,
    quiet: bool,
) -> CheckSummary:
    settings, options = loaded.settings, request.options
    limits = Limits(
        max_redirects=options.max_redirects,
        timeout_s=options.timeout_s,
        ignore_robots=ignore_robots or not settings.crawl.respect_robots,
        patience_s=options.patience_s,
    )
    fetching = replace(settings.fetch, dns_timeout_s=min(settings.fetch.dns_timeout_s, options.timeout_s))
    with ProgressLine(is_shown=not quiet) as line:
        async with session_for_command(loaded, limits, fetching, database_is_optional=True) as polite:
            return await check_links(
                polite, request, found, report=line.count, progress=line.expect, cache=cache
            )


def _cache(path: Path | None, age: str) -> LinkCache | None:
    try:
        young = timedelta(seconds=seconds_of(age))
    except ValueError as error:
        raise InvalidInput(f"--cache-age {age!r}: {error}") from error
    if path is None:
        return None
    cache = LinkCache(path, young)
    cache.load()
    return cache


def _write(summary: CheckSummary, wanted: CheckFormat, *, verbose: bool, quiet: bool) -> None:
    match wanted:
        case CheckFormat.JSON:
            for link in summary.links:
                print_json(as_json(link))
        case CheckFormat.JUNIT:
            from outrider.cli.check.junit import junit

            print(junit(summary))
        case CheckFormat.GITHUB:
            from outrider.cli.check.github import annotations

            print("\n".join(annotations(summary)))
        case CheckFormat.TEXT:
            from outrider.cli.check.report import report

            report(summary, verbose=verbose, quiet=quiet)
