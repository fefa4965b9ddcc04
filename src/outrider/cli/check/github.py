"""The result of a check as annotations of a GitHub workflow."""

from collections.abc import Iterator

from outrider.links.checked import CheckedLink, CheckSummary
from outrider.links.evidence import Verdict
from outrider.links.files.model import FilePlace

_LEVELS = {Verdict.DEAD: "error", Verdict.UNCERTAIN: "warning", Verdict.MOVED: "notice"}


def annotations(summary: CheckSummary) -> Iterator[str]:
    """One command for each place of a link that needs attention, and a line of counts."""
    for link in summary.links:
        level = _LEVELS.get(link.verdict)
        if level is None:
            continue
        for place in link.places or (None,):
            yield f"::{level} {_where(place)}title={link.verdict} link::{_message(_told(link))}"
    counts = ", ".join(f"{number} {verdict}" for verdict, number in summary.counts.items())
    yield f"{len(summary.links)} links: {counts}"


def _told(link: CheckedLink) -> str:
    return f"{link.url}: {link.why}"


def _where(place: FilePlace | None) -> str:
    if place is None or not place.line:
        return ""
    return f"file={_property(place.file)},line={place.line},"


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")
