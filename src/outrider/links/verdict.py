"""From evidence to a verdict. Pure; the only place where a link is called dead.

The order of the rules: a success decides first, then answers about the visitor (challenges, log-in pages,
limits), then answers about the page, and at last failures of the network. Failures that may pass are
`uncertain`. They become `dead` when an earlier check, at least a day before, failed as well and none between
the two succeeded.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise

from outrider.fetch import Failure, Hop
from outrider.fetch.hops import PERMANENT_STATUSES
from outrider.fetch.tls_failures import TLS_FAILURES
from outrider.links.evidence import (
    Evidence,
    Judgement,
    LinkProbe,
    PastCheck,
    ProbeEnding,
    Purpose,
    Verdict,
    Wall,
)
from outrider.links.markers import is_login_path, is_parking_host
from outrider.links.reason import NEVER_DEAD, LinkReason
from outrider.links.soft_404 import is_soft_404
from outrider.urls import host_of, path_of

A_DAY = timedelta(days=1)
ALMOST_A_DAY = timedelta(hours=23)  # daily runs do not start at the same second
FLAPS = 2  # changes between failure and success among the last checks
LAST_CHECKS = 6

_NOT_FOUND = {404: LinkReason.NOT_FOUND, 410: LinkReason.GONE}
_REFUSES_VISITORS = frozenset({402, 403, 999})
_UNREACHABLE = frozenset({Failure.REFUSED, Failure.RESET, Failure.UNREACHABLE, Failure.PROXY})
_WITHOUT_CONTENT = frozenset({Failure.TOO_LARGE})  # the page exists, and is large
_FAILURES = {
    **dict.fromkeys(TLS_FAILURES, LinkReason.TLS_ERROR),
    **dict.fromkeys(_UNREACHABLE, LinkReason.UNREACHABLE),
    Failure.TIMEOUT: LinkReason.NO_ANSWER,
    Failure.DNS: LinkReason.NAME_TROUBLE,
}
_NOT_ASKED = {
    ProbeEnding.ROBOTS: LinkReason.ROBOTS,
    ProbeEnding.REFUSED: LinkReason.NOT_ALLOWED,
    ProbeEnding.RESTING: LinkReason.HOST_RESTS,
    ProbeEnding.REDIRECT_LOOP: LinkReason.REDIRECT_LOOP,
    ProbeEnding.BAD_REDIRECT: LinkReason.BAD_REDIRECT,
}


def judge(evidence: Evidence, earlier: Sequence[PastCheck] = (), *, now: datetime) -> Judgement:
    """The verdict on a link. `earlier` checks are in the order of their times, the last one last.

    Without earlier checks, as in a single run, a doubtful failure is `uncertain`.
    """
    found = _by_evidence(evidence)
    if found.verdict is Verdict.UNCERTAIN and found.reason not in NEVER_DEAD:
        return _by_history(found, earlier, now)
    return found


def _by_evidence(evidence: Evidence) -> Judgement:
    """The verdict by this check alone."""
    tries = evidence.of(Purpose.LINK)
    if not tries:
        return Judgement(Verdict.UNCERTAIN, LinkReason.NOT_CHECKED)
    last = tries[-1]
    if last.is_success:
        return _of_success(evidence, last)
    # A GET after a HEAD that succeeded is the truth, unless it could not be made.
    success = next((probe for probe in reversed(tries) if probe.is_success), None)
    if success is not None and not _is_definite(last):
        return _of_success(evidence, success)
    return _of_failure(evidence, last)


def _is_definite(probe: LinkProbe) -> bool:
    return probe.ending is ProbeEnding.ANSWERED and probe.status in _NOT_FOUND


def _of_success(evidence: Evidence, probe: LinkProbe) -> Judgement:
    """The server sent a page. Is it the page?"""
    status, page = probe.status, probe.page
    wall = page.wall if page else None
    if wall is Wall.CHALLENGE:
        return Judgement(Verdict.UNCERTAIN, LinkReason.BOT_BLOCK, status)
    if wall is Wall.PARKED or _is_sold(probe):
        return Judgement(Verdict.UNCERTAIN, LinkReason.PARKED, status)
    if _leads_to_login(probe):
        return Judgement(Verdict.UNCERTAIN, LinkReason.LOGIN_WALL, status)
    if any(is_soft_404(probe, random_path) for random_path in evidence.of(Purpose.RANDOM_PATH)):
        return Judgement(Verdict.UNCERTAIN, LinkReason.SOFT_404, status)
    if evidence.fragment and page is not None and page.ids is not None:
        missing = _without_fragment(evidence.fragment, probe)
        if missing is not None:
            return missing
    moved_to = moved_target(probe.hops)
    if moved_to is not None and moved_to != evidence.url:
        return Judgement(Verdict.MOVED, LinkReason.MOVED_PERMANENTLY, status, moved_to)
    reason = LinkReason.TEMPORARY_REDIRECT if probe.hops else LinkReason.ANSWERS
    return Judgement(Verdict.OK, reason, status)


def _without_fragment(fragment: str, probe: LinkProbe) -> Judgement | None:
    """The verdict on a page without this id; None if it has the id."""
    page = probe.page
    assert page is not None
    assert page.ids is not None
    if fragment in page.ids:
        return None
    if page.has_scripts or not page.is_whole:
        return Judgement(Verdict.UNCERTAIN, LinkReason.FRAGMENT_UNSEEN, probe.status)
    return Judgement(Verdict.DEAD, LinkReason.FRAGMENT_MISSING, probe.status)


def _of_failure(evidence: Evidence, last: LinkProbe) -> Judgement:
    """The last answer is no page."""
    match last.ending:
        case ProbeEnding.INVALID:
            return Judgement(Verdict.DEAD, LinkReason.INVALID_ADDRESS)
        case ProbeEnding.FAILED:
            return _of_network(last)
        case ProbeEnding.ANSWERED:
            return _of_status(evidence, last)
        case other:
            return Judgement(Verdict.UNCERTAIN, _NOT_ASKED[other], last.status)


def _of_network(last: LinkProbe) -> Judgement:
    failure = last.failure
    if failure in _WITHOUT_CONTENT:
        return Judgement(Verdict.OK, LinkReason.ANSWERS, last.status)
    if failure is Failure.DNS and last.name_is_gone:
        return Judgement(Verdict.DEAD, LinkReason.NAME_GONE)
    reason = _FAILURES.get(failure, LinkReason.BAD_ANSWER) if failure else LinkReason.BAD_ANSWER
    return Judgement(Verdict.UNCERTAIN, reason, last.status)


def _of_status(evidence: Evidence, last: LinkProbe) -> Judgement:
    """An error status."""
    status = last.status
    assert status is not None
    if last.page is not None and last.page.wall is not None:
        return Judgement(Verdict.UNCERTAIN, LinkReason.BOT_BLOCK, status)
    if status in (401, 407) or _leads_to_login(last):
        return Judgement(Verdict.UNCERTAIN, LinkReason.LOGIN_WALL, status)
    if status == 429:
        return Judgement(Verdict.UNCERTAIN, LinkReason.RATE_LIMITED, status)
    if status == 451:
        return Judgement(Verdict.UNCERTAIN, LinkReason.LEGAL_BLOCK, status)
    if status in _REFUSES_VISITORS:
        return Judgement(Verdict.UNCERTAIN, LinkReason.BOT_BLOCK, status)
    if status in _NOT_FOUND:
        if last.method != "GET":  # many servers answer HEAD wrongly
            return Judgement(Verdict.UNCERTAIN, LinkReason.CLIENT_ERROR, status)
        if any(map(_refuses_everything, evidence.of(Purpose.FRONT_PAGE))):
            return Judgement(Verdict.UNCERTAIN, LinkReason.BOT_BLOCK, status)
        return Judgement(Verdict.DEAD, _NOT_FOUND[status], status)
    if status >= 500:
        return Judgement(Verdict.UNCERTAIN, LinkReason.SERVER_ERROR, status)
    return Judgement(Verdict.UNCERTAIN, LinkReason.CLIENT_ERROR, status)


def _refuses_everything(front_page: LinkProbe) -> bool:
    """Whether the host refuses even its front page: then its 404 is for programs only."""
    if front_page.page is not None and front_page.page.wall is Wall.CHALLENGE:
        return True
    return front_page.status in (401, 403, 429, 999)


def _leads_to_login(probe: LinkProbe) -> bool:
    """Whether a redirect leads from another page to a log-in page."""
    final = probe.final_url or probe.url
    return bool(probe.hops) and is_login_path(path_of(final)) and not is_login_path(path_of(probe.url))


def _is_sold(probe: LinkProbe) -> bool:
    """Whether a redirect leads to a seller of domains."""
    final = probe.final_url or probe.url
    return bool(probe.hops) and is_parking_host(host_of(final)) and host_of(final) != host_of(probe.url)


def moved_target(hops: Sequence[Hop]) -> str | None:
    """Where the permanent redirects at the beginning of a chain lead; None if the first is temporary."""
    target = None
    for hop in hops:
        if hop.status not in PERMANENT_STATUSES:
            break
        target = hop.target
    return target


def _by_history(found: Judgement, earlier: Sequence[PastCheck], now: datetime) -> Judgement:
    """A doubtful failure in the light of earlier checks."""
    recent = earlier[-LAST_CHECKS:]
    changes = sum(_failed(one) != _failed(other) for one, other in pairwise(recent))
    since = first_failure(earlier)
    if since is None:
        reason = LinkReason.FLAPPING if changes >= FLAPS else found.reason
        return Judgement(Verdict.UNCERTAIN, reason, found.status, pending_since=now)
    if now - since < ALMOST_A_DAY:
        return Judgement(Verdict.UNCERTAIN, found.reason, found.status, pending_since=since)
    if changes >= FLAPS + 1:
        return Judgement(Verdict.UNCERTAIN, LinkReason.FLAPPING, found.status, pending_since=since)
    return Judgement(Verdict.DEAD, found.reason, found.status, pending_since=since)


def first_failure(earlier: Sequence[PastCheck]) -> datetime | None:
    """When the failures in a row began that are still going on; None after a success."""
    since = None
    for check in reversed(earlier):
        if not _failed(check):
            break
        since = check.at
    return since


def _failed(check: PastCheck) -> bool:
    """Whether a check saw a failure of the link. An answer about the visitor is none."""
    if check.verdict is Verdict.DEAD:
        return True
    return check.verdict is Verdict.UNCERTAIN and (
        check.reason not in NEVER_DEAD or check.reason is LinkReason.FLAPPING
    )
