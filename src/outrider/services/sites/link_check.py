"""The use case of `outrider check`: find the links of files, pages and sitemaps, and judge each."""

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from outrider.crawl.politeness.single_fetch import SingleFetch
from outrider.errors import Conflict, InvalidInput
from outrider.fetch import Request
from outrider.links.asking import LinkProber
from outrider.links.cache import LinkCache
from outrider.links.checked import CheckedLink, CheckSummary
from outrider.links.checker import LinkChecker, worst_first
from outrider.links.evidence import Judgement, Verdict
from outrider.links.files.local import LocalLinks
from outrider.links.files.model import FilePlace
from outrider.links.files.reading import files_below, read_file
from outrider.links.options import LinkOptions
from outrider.links.reason import LinkReason
from outrider.links.selection import LinkSelection, is_bad_email_link, is_example, is_local_link, is_web_link
from outrider.links.site import site_links
from outrider.links.sitemaps import LARGEST, sitemap_urls
from outrider.links.targets import CheckTargets

Places = dict[str, list[FilePlace]]


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """What to check, and how."""

    targets: CheckTargets
    selection: LinkSelection = field(default_factory=LinkSelection)
    options: LinkOptions = field(default_factory=LinkOptions)
    max_pages: int = 1_000  # of a site
    is_offline: bool = False  # only links between files


@dataclass(frozen=True, slots=True)
class FileLinks:
    """The links of files: those to the web wait for their requests, the others are judged."""

    web: Places
    local: tuple[CheckedLink, ...]
    files: int
    unread: tuple[str, ...] = ()  # a sentence for each file of a folder that could not be read


def read_files(request: CheckRequest) -> FileLinks:
    """Read the files and folders of a check, and judge the links between files."""
    targets, selection = request.targets, request.selection
    checks = LocalLinks(targets.root)
    web: Places = {}
    local: list[CheckedLink] = []
    files = 0
    unread: list[str] = []
    for path in _files(targets, selection, unread):
        try:
            links = read_file(path).links
        except InvalidInput as error:
            if path in targets.files:
                raise
            unread.append(str(error))
            continue
        files += 1
        shown = os.fsencode(path.as_posix()).decode(errors="replace")  # names need not be UTF-8
        for link in links:
            place = FilePlace(shown, link.line)
            if is_web_link(link.href):
                url = f"https:{link.href}" if link.href.startswith("//") else link.href
                if selection.wants(url) and not is_example(url):
                    web.setdefault(url, []).append(place)
            elif selection.wants(link.href) and (judged := _judge(checks, path, link.href)) is not None:
                now = datetime.now(UTC)
                local.append(CheckedLink(link.href, judged, now, places=(place,), looked_at=shown))
    return FileLinks(web, tuple(local), files, tuple(unread))


async def check_links(
    polite: SingleFetch,
    request: CheckRequest,
    found: FileLinks,
    *,
    report: Callable[[CheckedLink], None] = lambda _: None,
    progress: Callable[[int], None] = lambda _: None,
    cache: LinkCache | None = None,
) -> CheckSummary:
    """Check everything that the request names; `found` has the links of its files.

    `report` gets each link when its verdict is known, `progress` the number of links to check so far.
    """
    started = time.monotonic()
    links: list[CheckedLink] = []

    def keep(link: CheckedLink) -> None:
        links.append(link)
        report(link)

    for link in found.local:
        keep(link)
    pages = found.files
    try:
        if not request.is_offline:
            prober = LinkProber(polite, request.options)
            checker = LinkChecker(
                prober, hosts_at_once=request.options.hosts_at_once, report=keep, cache=cache
            )
            places: Places = {url: list(where) for url, where in found.web.items()}
            for url in request.targets.urls:
                places.setdefault(url, [])
            for sitemap in request.targets.sitemaps:
                listed = await sitemap_urls(sitemap, lambda url: _read_sitemap(polite, url))
                for url, name in listed.items():
                    if request.selection.wants(url):
                        places.setdefault(url, []).append(FilePlace(name, 0))
            if request.targets.site is not None:
                site = await site_links(
                    checker,
                    request.targets.site,
                    max_pages=request.max_pages,
                    wanted=request.selection.wants,
                    progress=progress,
                )
                pages += site.pages
                for url, where in site.places.items():
                    places.setdefault(url, []).extend(where)
            progress(len(places))
            await checker.check(places)
    finally:  # an interrupted check leaves what it knows
        if cache is not None:
            cache.save(datetime.now(UTC))
    return CheckSummary(tuple(worst_first(links)), time.monotonic() - started, pages)


def _files(targets: CheckTargets, selection: LinkSelection, unread: list[str]) -> Iterator[Path]:
    yield from targets.files
    for folder in targets.folders:
        yield from (path for path in files_below(folder, unread) if selection.wants_file(path))


def _judge(checks: LocalLinks, path: Path, href: str) -> Judgement | None:
    """The verdict on a link that needs no request; None for one that is not checked."""
    if is_bad_email_link(href):
        return Judgement(Verdict.DEAD, LinkReason.BAD_EMAIL)
    return checks.judge(path, href) if is_local_link(href) else None


async def _read_sitemap(polite: SingleFetch, url: str) -> tuple[bytes, str]:
    try:
        result = await polite.run(url, Request(url, max_bytes=LARGEST, accept="*/*"))
    except Conflict as busy:
        raise InvalidInput(f"{url} cannot be read now: {busy}") from busy
    if not result.is_ok:
        raise InvalidInput(f"{url} cannot be read: {result.message or result.reason or result.status}")
    return result.body, result.url
