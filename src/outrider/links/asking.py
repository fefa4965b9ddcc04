"""Ask for a link: HEAD, then a small GET where HEAD decides nothing, then how the host answers nonsense.

| answer to HEAD | what follows |
|---|---|
| success, and the host refuses an address that cannot exist | nothing |
| success, and the host answers such an address | GET, compared with the answer to such an address |
| 429, or the host must not be asked | nothing |
| any other | GET; after a 404 also the front page |
"""

import secrets
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Protocol

from outrider.crawl.politeness.fetch_result import FetchResult
from outrider.errors import Conflict, InvalidUrl
from outrider.fetch import Failure, Request
from outrider.links.dns import is_name_gone
from outrider.links.evidence import Evidence, LinkProbe, ProbeEnding, Purpose
from outrider.links.options import LinkOptions
from outrider.links.probe import HEAD_REFUSED, probe_of, resting_probe
from outrider.urls import host_of, origin_of, resolve

_ACCEPT = "text/html,application/xhtml+xml,*/*;q=0.8"
_MISSING = (404, 410)
_DOWNLOADS = ("image/", "video/", "audio/", "font/", "application/pdf", "application/zip")
_STOPS = frozenset({ProbeEnding.ROBOTS, ProbeEnding.REFUSED, ProbeEnding.INVALID, ProbeEnding.RESTING})


class PoliteFetch(Protocol):
    """What a check needs of `SingleFetch`."""

    async def run(self, url: str, request: Request = ...) -> FetchResult: ...

    async def give_back(self, host: str) -> None: ...


class LinkProber:
    """Asks for links, and remembers how each host answers an address that cannot exist."""

    def __init__(
        self,
        polite: PoliteFetch,
        options: LinkOptions | None = None,
        name_is_gone: Callable[[str], Awaitable[bool]] = is_name_gone,
    ) -> None:
        self._polite = polite
        self._options = options or LinkOptions()
        self._name_is_gone = name_is_gone
        self._heads_of_nonsense: dict[str, LinkProbe] = {}  # by origin
        self._pages_of_nonsense: dict[str, LinkProbe] = {}
        self._front_pages: dict[str, LinkProbe] = {}
        self._slow_origins: set[str] = set()

    async def evidence(self, url: str, *, wants_ids: bool = False) -> Evidence:
        """Everything to judge this address by. `wants_ids`: its fragments are checked, too."""
        try:
            address = resolve(url)
        except InvalidUrl as error:
            now = datetime.now(UTC)
            bad = LinkProbe(Purpose.LINK, "HEAD", url, now, ProbeEnding.INVALID, message=error.why)
            return Evidence(url, (bad,))
        probes: list[LinkProbe] = []
        if not wants_ids:
            head = await self._ask(Purpose.LINK, "HEAD", address)
            probes.append(head)
            if not await self._needs_get(head, probes):
                return Evidence(address, tuple(probes))
        page = await self._ask(Purpose.LINK, "GET", address, wants_ids=wants_ids)
        probes.append(page)
        if page.is_success:
            probes.append(await self._page_of_nonsense(page))
        elif page.status in _MISSING and page.page_wall is None:
            probes.append(await self._front_page(page))
        return Evidence(address, tuple(probes))

    async def release(self, host: str) -> None:
        """No more links of this host follow."""
        await self._polite.give_back(host)

    async def _needs_get(self, head: LinkProbe, probes: list[LinkProbe]) -> bool:
        """Whether the answer to HEAD leaves something open."""
        if head.ending in _STOPS or head.status == 429:
            return False
        if head.failure is Failure.DNS:  # a second request would ask the same resolver
            return False
        if not head.is_success:
            return True
        if (head.content_type or "").lower().startswith(_DOWNLOADS):
            return False
        nonsense = await self._head_of_nonsense(head)
        probes.append(nonsense)
        return nonsense.is_success or nonsense.status in HEAD_REFUSED

    async def _head_of_nonsense(self, link: LinkProbe) -> LinkProbe:
        origin = origin_of(link.url)
        probe = self._heads_of_nonsense.get(origin)
        if probe is None:
            probe = await self._ask(Purpose.RANDOM_PATH, "HEAD", _nonsense(origin))
            self._remember(self._heads_of_nonsense, origin, probe)
        return probe

    async def _page_of_nonsense(self, link: LinkProbe) -> LinkProbe:
        """The page for an address that cannot exist on the host of the link, before its redirects."""
        origin = origin_of(link.url)
        probe = self._pages_of_nonsense.get(origin)
        if probe is None:
            probe = await self._ask(Purpose.RANDOM_PATH, "GET", _nonsense(origin))
            self._remember(self._pages_of_nonsense, origin, probe)
        return probe

    async def _front_page(self, link: LinkProbe) -> LinkProbe:
        origin = origin_of(link.final_url or link.url)
        probe = self._front_pages.get(origin)
        if probe is None:
            probe = await self._ask(Purpose.FRONT_PAGE, "GET", f"{origin}/")
            self._remember(self._front_pages, origin, probe)
        return probe

    def _remember(self, probes: dict[str, LinkProbe], origin: str, probe: LinkProbe) -> None:
        """One request that got no answer in time says nothing about the host, and is made again."""
        if probe.failure is Failure.TIMEOUT and origin not in self._slow_origins:
            self._slow_origins.add(origin)
        else:
            probes[origin] = probe

    async def _ask(self, purpose: Purpose, method: str, url: str, *, wants_ids: bool = False) -> LinkProbe:
        options = self._options
        request = Request(
            url,
            timeout_s=options.timeout_s,
            max_bytes=options.fragment_bytes if wants_ids else options.page_bytes,
            accept=_ACCEPT,
            truncate=True,
            is_head=method == "HEAD",
            error_bytes=options.error_bytes,
        )
        asked_at = datetime.now(UTC)
        try:
            result = await self._polite.run(url, request)
        except Conflict as busy:
            return resting_probe(purpose, method, url, asked_at, str(busy))
        probe = probe_of(result, purpose, request, asked_at, wants_ids=wants_ids)
        if probe.failure is Failure.DNS and await self._name_is_gone(host_of(result.url)):
            return probe.with_gone_name()
        return probe


def _nonsense(origin: str) -> str:
    """An address that cannot exist."""
    return f"{origin}/{secrets.token_hex(6)}-no-such-page"
