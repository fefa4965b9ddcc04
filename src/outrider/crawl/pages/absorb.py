"""Turn a fetched page into a document draft and links to queue, by the source's policy."""

from dataclasses import dataclass, field

from outrider.crawl.admission.filters import skip
from outrider.crawl.admission.skip_reason import SkipReason
from outrider.crawl.admission.templates import TemplateWatch
from outrider.crawl.admission.traps import is_trap_shape
from outrider.crawl.options import CrawlOptions
from outrider.crawl.pages.assessment import PageAssessment
from outrider.crawl.pages.memory import by_place, memory_keys, places_of
from outrider.crawl.plan import CrawlPlan
from outrider.crawl.seen import SeenUrls
from outrider.documents.model import Draft
from outrider.documents.packing import pack, pack_links
from outrider.errors import InvalidUrl
from outrider.extract.model import Page, Scan
from outrider.extract.similarity.content_hash import hash_of_lines
from outrider.extract.similarity.signature import signature
from outrider.fetch.outcome import Fetched
from outrider.frontier.model import Entry, Submission, UrlOrigin
from outrider.frontier.priority import priority, signals_of
from outrider.hrefs import Hrefs
from outrider.sources.policy import External
from outrider.urls import DEFAULT_RULES, host_of, key_of, normalize

MOST_OUTSIDE = 100  # links to other sites that are recorded from one page
MOST_PLAIN = 256 << 10  # bytes of text that wait for the flush without compression


@dataclass(slots=True)
class PageLinks:
    """The links of one page, by what follows for them."""

    links: list[Submission] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)  # URLs on other hosts, if the source records them
    refused: list[str] = field(default_factory=list)  # seen-keys of links that the rules refuse
    skipped: dict[SkipReason, int] = field(default_factory=dict)  # by reason

    def note_skipped(self, reason: SkipReason, times: int = 1) -> None:
        self.skipped[reason] = self.skipped.get(reason, 0) + times


def draft_of(
    entry: Entry,
    fetched: Fetched,
    scan: Scan,
    options: CrawlOptions,
    assessment: PageAssessment,
    page: Page | None = None,
) -> Draft:
    """The document of a page, from the fast scan or, where there is one, from the full extraction.

    A page that only serves for its links is kept without text, so that its changes make no versions. Text
    that is stored already is neither compressed nor signed again.
    """
    is_document = assessment.is_document
    if page is not None and is_document:
        encoded, content_hash = page.text.encode("utf-8", "surrogatepass"), bytes.fromhex(page.content_hash)
    else:
        encoded = scan.encoded_text if is_document else b""
        content_hash = hash_of_lines(encoded)
    is_unchanged = content_hash == entry.content_hash and len(encoded) <= MOST_PLAIN
    return Draft(
        key=entry.key,
        source_id=entry.source_id,
        status=fetched.exchange.status,
        size=len(fetched.body),
        words=assessment.words,
        content_hash=content_hash,
        is_comparable=is_document and assessment.words >= options.duplicate_words,
        base=scan.base,
        text=encoded if is_unchanged else pack(encoded),
        links=pack_links(scan.links),
        noindex=scan.noindex,
        etag=fetched.etag,
        last_modified=fetched.last_modified,
        content_type=fetched.content_type,
        charset=scan.charset,
        language=scan.language,
        title=page.title if page else scan.title,
        description=page.description if page else scan.description,
        canonical_url=_canonical(scan),
        author=page.author if page else None,
        published_at=page.published_at if page else None,
        meta=page.metadata.to_json() if page else None,
        page_type=str(assessment.page_type),
        unindexed=assessment.unindexed.value if assessment.unindexed else None,
        links_count=scan.links.size,
        signature=None if is_unchanged else _signature(encoded, page if is_document else None),
        is_unchanged=is_unchanged,
    )


def _signature(encoded: bytes, page: Page | None) -> bytes:
    return signature(encoded) if page is None else page.signature


def links_of(entry: Entry, scan: Scan, plan: CrawlPlan, seen: SeenUrls, watch: TemplateWatch) -> PageLinks:
    """The links of a page that the crawl wants and has not confirmed yet."""
    found = PageLinks()
    wanted = _wanted(scan, plan, found)
    is_deep = entry.depth >= plan.max_depth
    if is_deep and plan.follow.inside:
        found.note_skipped(SkipReason.DEPTH, wanted.size)
    if is_deep or not plan.follow.inside:
        _note_outside(entry, wanted, scan.base, plan, found)
        return found
    depth = entry.depth + 1
    best = priority(plan.policy.priority, UrlOrigin.SPIDER, depth)
    taken: set[str] = set()
    places = places_of(entry.source_id, entry.run_id, scan.base)
    unrecognised = seen.unrecognised(places, wanted, best)
    if not unrecognised:
        return found
    hrefs = memory_keys(entry.source_id, entry.run_id, scan.base, unrecognised)
    unknown = seen.unknown(hrefs, best)
    if confirmed := seen.confirmed(hrefs, best):
        for place, fixed in by_place(confirmed, places).items():
            seen.recognise(place, fixed, best)
    for key in unknown:
        submission = _judge(hrefs[key], (key, best), entry, scan.base, depth, plan, watch, found)
        if submission is not None and submission.url not in taken:
            taken.add(submission.url)
            found.links.append(submission)
    return found


def _note_outside(entry: Entry, links: Hrefs, base: str, plan: CrawlPlan, found: PageLinks) -> None:
    """Record links to other sites on a page whose links are not followed."""
    if plan.follow.outside is External.IGNORE:
        return
    for href in links:
        try:
            url = normalize(href, base, plan.rules)
        except InvalidUrl:
            continue
        if not plan.scope.admits(url):
            _keep_if_outside(url, entry, plan, found)


def _keep_if_outside(url: str, entry: Entry, plan: CrawlPlan, found: PageLinks) -> None:
    """Record a URL on another host; a URL on a host of the source is only out of scope."""
    host = host_of(url)
    is_ours = host == host_of(entry.url) or host in plan.scope.hosts
    if not is_ours and len(found.outside) < MOST_OUTSIDE and skip(url) is None:
        # The source's own normalisation rules do not hold on other sites.
        found.outside.append(url if plan.rules == DEFAULT_RULES else normalize(url))


def _wanted(scan: Scan, plan: CrawlPlan, found: PageLinks) -> Hrefs:
    links = scan.links
    if not plan.policy.obey_nofollow:
        return links
    wanted = Hrefs() if scan.nofollow else links.followed()
    if unwanted := links.size - wanted.size:
        found.note_skipped(SkipReason.NOFOLLOW, unwanted)
    return wanted


def _judge(
    href: str,
    seen: tuple[str, int],
    entry: Entry,
    base: str,
    depth: int,
    plan: CrawlPlan,
    watch: TemplateWatch,
    found: PageLinks,
) -> Submission | None:
    """The submission of a link, or None and a count of the skip reason."""
    try:
        url = normalize(href, base, plan.rules)
    except InvalidUrl:
        found.note_skipped(SkipReason.INVALID)
        found.refused.append(seen[0])
        return None
    refusal = refusal_of(url, plan, watch)
    if refusal is not None:
        found.note_skipped(refusal)
        found.refused.append(seen[0])
        if refusal is SkipReason.SCOPE and plan.follow.outside is not External.IGNORE:
            _keep_if_outside(url, entry, plan, found)
        return None
    return Submission(
        key=key_of(url),
        url=url,
        host=host_of(url),
        priority=priority(plan.policy.priority, UrlOrigin.SPIDER, depth, signals_of(url)),
        depth=depth,
        source_id=entry.source_id,
        origin=UrlOrigin.SPIDER,
        parent=entry.key,
        seen=seen,
        run_id=entry.run_id,
    )


def refusal_of(url: str, plan: CrawlPlan, watch: TemplateWatch) -> SkipReason | None:
    """Why the crawl skips a normalised URL; None when it does not."""
    if not plan.scope.admits(url):
        return SkipReason.SCOPE
    reason = skip(url, content_filter=plan.policy.content_filter)
    if reason is not None:
        return reason
    if is_trap_shape(url, watch.options) is not None or watch.is_barren(url):
        return SkipReason.TRAP
    return None


def _canonical(scan: Scan) -> str | None:
    if scan.canonical is None:
        return None
    try:
        return normalize(scan.canonical, scan.base)
    except InvalidUrl:
        return None
