"""Check many addresses: hosts side by side, the addresses of one host one after another."""

import asyncio
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
Addresses = dict[str, list[str]]  # the links of each address
Hosts = dict[str, Addresses]
Report = Callable[[CheckedLink], None]

MOST_PLACES = 100  # of one link in a report
_TEXT_FRAGMENT = ":~:"


class LinkChecker:
    """Checks addresses and reports each verdict as soon as it is known."""

    def __init__(
        self, prober: LinkProber, *, hosts_at_once: int, report: Report, cache: LinkCache | None = None
    ) -> None:
        self._prober = prober
        self._hosts_at_once = hosts_at_once
        self._report = report
        self._cache = cache
        self._evidence: dict[str, Evidence] = {}  # of pages that were read, and of late addresses
        self._late: Hosts = {}

    async def check(self, places: Places) -> None:
        """Check these addresses; a fragment costs no request of its own.

        An address that did not answer in time is asked for once more at the end.
        """
        hosts: Hosts = {}
        now = datetime.now(UTC)
        for url in places:
            known = self._cache.known(url, now) if self._cache else None
            if known is not None:
                self._report(replace(known, places=_first(places[url])))
                continue
            host, address = _where(url)
            hosts.setdefault(host, {}).setdefault(address, []).append(url)
        await self._check_hosts(hosts, places, self._hosts_at_once, is_second=False)
        # A machine that was too busy for its requests may find the time now. Fewer hosts are asked at once.
        late, self._late = self._late, {}
        await self._check_hosts(late, places, max(1, self._hosts_at_once // 4), is_second=True)

    async def _check_hosts(self, hosts: Hosts, places: Places, at_once: int, *, is_second: bool) -> None:
        slots = asyncio.Semaphore(at_once)
        check = self._check_again if is_second else self._check_host

        async def in_turn(host: str, addresses: Addresses) -> None:
            async with slots:
                await check(host, addresses, places)
                if host:
                    await self._prober.release(host)

        async with asyncio.TaskGroup() as tasks:
            for host, addresses in hosts.items():
                tasks.create_task(in_turn(host, addresses))

    async def read_page(self, address: str) -> Evidence:
        """Ask for a page with its links and fragments. A later check of the page asks no more."""
        if address not in self._evidence:
            self._evidence[address] = await self._prober.evidence(address, wants_ids=True)
        return self._evidence[address]

    async def _check_host(self, host: str, addresses: Addresses, places: Places) -> None:
        """Report what is known of each address; what did not answer in time is late."""
        for address, urls in addresses.items():
            evidence = self._evidence.get(address) or await self._ask(address, urls)
            if evidence.ends_in_timeout:
                self._late.setdefault(host, {})[address] = urls
                self._evidence[address] = evidence
            else:
                self._tell(address, urls, evidence, places)

    async def _check_again(self, _: str, addresses: Addresses, places: Places) -> None:
        """Ask late addresses again until one of them is late again: then the server is slow, and not we."""
        is_slow = False
        for address, urls in addresses.items():
            evidence = self._evidence[address]
            if not is_slow:
                again = await self._ask(address, urls)
                is_slow = again.ends_in_timeout or again.is_empty
                evidence = evidence if is_slow else again
            self._tell(address, urls, evidence, places)

    async def _ask(self, address: str, urls: Sequence[str]) -> Evidence:
        return await self._prober.evidence(address, wants_ids=any(fragment_of(url) for url in urls))

    def _tell(self, address: str, urls: Sequence[str], evidence: Evidence, places: Places) -> None:
        for url in urls:
            with_fragment = replace(evidence, url=address, fragment=fragment_of(url))
            checked = self._judged(url, with_fragment, places[url])
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
