"""Alerts in words: the sentence of an alert, and the page where it is looked into. Pure."""

from collections.abc import Callable, Mapping
from urllib.parse import quote

from outrider.alerts.model import AlertKind, AlertSubject, Numbers, SubjectKind
from outrider.wording import count, plural, span

LONGEST_NAME = 100

_PAGES = {SubjectKind.SOURCE: "/sources/", SubjectKind.JOB: "/jobs/", SubjectKind.SITE: "/sites/"}
_REST = {  # what the alert of the rest stands for
    AlertKind.FEED_ERRORS: ("source has", "sources have", "a feed or sitemap that fails many times in a row"),
    AlertKind.DEAD_LINKS: ("site has", "sites have", "more dead links than a day ago"),
}


def sentence_of(kind: str, subject: AlertSubject | None, numbers: Numbers) -> str:
    """What is wrong, in a sentence with a full stop."""
    try:
        known = AlertKind(kind)
        if "more" in numbers:
            return _rest(known, int(numbers["more"]))
        return _SENTENCES[known](subject, numbers)
    except (KeyError, ValueError):  # another version wrote it
        return f"{kind.replace('_', ' ').capitalize()}{f': {_name(subject)}' if subject else ''}."


def page_of(kind: str, subject: AlertSubject | None) -> str:
    """The path in the dashboard where the alert is looked into."""
    if subject is not None:
        return _PAGES[subject.kind] + quote(subject.id, safe="")
    return AlertKind(kind).page if kind in set(AlertKind) else "/alerts"


def _rest(kind: AlertKind, more: int) -> str:
    one, many, what = _REST.get(kind, ("alert of this kind is", "alerts of this kind are", "open"))
    return f"{count(more)} more {one if more == 1 else many} {what}."


def _name(subject: AlertSubject | None) -> str:
    if subject is None:
        return "?"
    return subject.name if len(subject.name) <= LONGEST_NAME else subject.name[: LONGEST_NAME - 1] + "…"


def _no_workers(subject: AlertSubject | None, numbers: Numbers) -> str:
    hosts = int(numbers["hosts"])
    return f"No worker runs, and {plural(hosts, 'host waits', 'hosts wait')} for one."


def _http_errors(subject: AlertSubject | None, numbers: Numbers) -> str:
    answers = plural(int(numbers["answers"]), "answer")
    return f"{numbers['share']:.0%} of {answers} in the last {span(numbers['seconds'])} were 4xx or 5xx."


def _frontier_growth(subject: AlertSubject | None, numbers: Numbers) -> str:
    before, after = count(int(numbers["from"])), count(int(numbers["to"]))
    return f"The queue grew from {before} to {after} URLs in {plural(int(numbers['minutes']), 'minute')}."


def _feed_errors(subject: AlertSubject | None, numbers: Numbers) -> str:
    errors = count(int(numbers["errors"]))
    channels = int(numbers["channels"])
    if channels == 1:
        return f"A feed or sitemap of {_name(subject)} failed {errors} times in a row."
    return f"{count(channels)} feeds or sitemaps of {_name(subject)} failed up to {errors} times in a row."


def _job_failures(subject: AlertSubject | None, numbers: Numbers) -> str:
    failed, runs = count(int(numbers["failed"])), count(int(numbers["runs"]))
    return f"{failed} of the latest {runs} runs of jobs failed."


def _stale_locks(subject: AlertSubject | None, numbers: Numbers) -> str:
    runs = plural(int(numbers["locks"]), "run was", "runs were")
    return f"{runs} taken over from schedulers that died, within an hour."


def _uneven_schedule(subject: AlertSubject | None, numbers: Numbers) -> str:
    runs = plural(int(numbers["runs"]), "run")
    return f"{runs} of the next day are spread unevenly: the distribution score is {numbers['score']:.2f}."


def _dead_links(subject: AlertSubject | None, numbers: Numbers) -> str:
    dead = plural(int(numbers["dead"]), "dead link")
    return (
        f"The site {_name(subject)} has {dead}, {count(int(numbers['risen']))} more than within the last day."
    )


def _backup(subject: AlertSubject | None, numbers: Numbers) -> str:
    if numbers.get("failed"):
        return "The last backup failed, or could not be verified."
    days = plural(int(numbers["days"]), "day")
    if not numbers["backups"]:
        return f"There is no backup yet, {days} after the installation, although one is written every day."
    return f"The newest backup is {days} old, although one is written every day."


_SENTENCES: Mapping[AlertKind, Callable[[AlertSubject | None, Numbers], str]] = {
    AlertKind.NO_WORKERS: _no_workers,
    AlertKind.HTTP_ERRORS: _http_errors,
    AlertKind.FRONTIER_GROWTH: _frontier_growth,
    AlertKind.FEED_ERRORS: _feed_errors,
    AlertKind.JOB_FAILURES: _job_failures,
    AlertKind.STALE_LOCKS: _stale_locks,
    AlertKind.UNEVEN_SCHEDULE: _uneven_schedule,
    AlertKind.DEAD_LINKS: _dead_links,
    AlertKind.BACKUP: _backup,
}
