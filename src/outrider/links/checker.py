"""Check many addresses: hosts side by side, the addresses of one host one after another."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from urllib.parse import unquote

from outrider.errors import InvalidUrl
from outrider.links.asking import LinkProber
from outrider.links.cache import LinkCache
from outrider.links.checked import CheckedLink
from outrider.links.evidence import Evidence, Judgement, Verdict
from outrider.links.files.model import FilePlace
from outrider.links.verdict import judge
from outrider.urls import host_of, resolve

Places = Mapping[str, Sequence[FilePlace]]
Report = Callable[[CheckedLink], None]

MOST_PLACES = 100  # of one link in a report
_TEXT_FRAGMENT = ":~:"


class LinkChecker:
    """Checks addresses and reports each verdict as soon as it is known."""

    def __init__(
        self, prober: LinkProber, *, hosts_at_once: int, report: Report, cache: LinkCache | None = None
    ) -> None:
        self._prober = prober
        self._slots = asyncio.Semaphore(hosts_at_once)
        self._report = report
        self._cache = cache
        self._evidence: dict[str, Evidence] = {}  # of pages that were read with their fragments

    async def check(self, places: Places) -> None:
        """Check these addresses, each once; a fragment costs no request of its own."""
        hosts: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        now = datetime.now(UTC)
        for url in places:
            known = self._cache.known(url, now) if self._cache else None
            if known is not None:
                self._report(replace(known, places=_first(places[url])))
                continue
            host, address = _where(url)
            hosts[host][address].append(url)
        async with asyncio.TaskGroup() as tasks:
            for host, addresses in hosts.items():
                tasks.create_task(self._check_host(host, addresses, places))

    async def read_page(self, address: str) -> Evidence:
        """Ask for a page with its links and fragments. A later check of the page asks no more."""
        if address not in self._evidence:
            self._evidence[address] = await self._prober.evidence(address, wants_ids=True)
        return self._evidence[address]

    async def _check_host(self, host: str, addresses: Mapping[str, Sequence[str]], places: Places) -> None:
        async with self._slots:
            for address, urls in addresses.items():
                await self._check_address(address, urls, places)
            if host:
                await self._prober.release(host)

    async def _check_address(self, address: str, urls: Sequence[str], places: Places) -> None:
        fragments = {url: fragment_of(url) for url in urls}
        evidence = self._evidence.get(address)
        if evidence is None:
            evidence = await self._prober.evidence(address, wants_ids=any(fragments.values()))
        for url, fragment in fragments.items():
            checked = self._judged(url, replace(evidence, url=address, fragment=fragment), places[url])
            if self._cache is not None:
                self._cache.remember(checked)
            self._report(checked)

    def _judged(self, url: str, evidence: Evidence, places: Sequence[FilePlace]) -> CheckedLink:
        now = datetime.now(UTC)
        earlier = self._cache.earlier(url) if self._cache else ()
        judgement = judge(evidence, earlier, now=now)
        if judgement.moved_to and evidence.fragment:
            judgement = _keep_fragment(judgement, evidence.fragment)
        return CheckedLink(url, judgement, now, evidence.probes, _first(places))


def fragment_of(url: str) -> str | None:
    """The fragment that a page must have; None if any page will do."""
    fragment = unquote(url.partition("#")[2]).partition(_TEXT_FRAGMENT)[0]
    # Applications route by such fragments, so they are no ids.
    if not fragment or fragment.lower() == "top" or fragment[0] in "!/":
        return None
    return fragment


def _keep_fragment(judgement: Judgement, fragment: str) -> Judgement:
    """The new address of a moved page, with the fragment of the link."""
    assert judgement.moved_to is not None
    return replace(judgement, moved_to=f"{judgement.moved_to}#{fragment}")


def _where(url: str) -> tuple[str, str]:
    """The host and the address without fragment. An address that is not valid has no host."""
    try:
        address = resolve(url)
    except InvalidUrl:
        return "", url
    return host_of(address), address


def _first(places: Sequence[FilePlace]) -> tuple[FilePlace, ...]:
    return tuple(places[:MOST_PLACES])


def worst_first(links: Iterable[CheckedLink]) -> list[CheckedLink]:
    """Dead links first, then uncertain, moved and good ones."""
    order = [Verdict.DEAD, Verdict.UNCERTAIN, Verdict.MOVED, Verdict.OK]
    return sorted(links, key=lambda link: (order.index(link.verdict), link.url))
