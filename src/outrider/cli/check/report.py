"""The result of a check for people: by file, with lines, the worst first."""

from collections import defaultdict

from outrider.cli.output import console, harmless, plain
from outrider.links.checked import CheckedLink, CheckSummary
from outrider.links.evidence import Verdict
from outrider.links.files.model import FilePlace
from outrider.wording import count, plural, span

_COLOURS = {
    Verdict.DEAD: "bold red",
    Verdict.UNCERTAIN: "yellow",
    Verdict.MOVED: "cyan",
    Verdict.OK: "green",
}
_WIDTH = max(map(len, Verdict))


def report(summary: CheckSummary, *, verbose: bool, quiet: bool) -> None:
    """Print the links that need attention, then one line of counts."""
    out = console()
    shown = [link for link in summary.links if verbose or link.verdict is not Verdict.OK]
    if quiet:
        shown = [link for link in shown if link.verdict is Verdict.DEAD]
    for file, links in _by_file(shown).items():
        if file:
            out.print(plain(file, "bold"), soft_wrap=True)
        for place, link in links:
            where = f"{place.line}: " if place is not None and place.line else ""
            line = plain(f"  {link.verdict.value:{_WIDTH}} ", _COLOURS[link.verdict])
            line.append(harmless(f"{where}{link.url}"))
            line.append(harmless(f"\n  {'':{_WIDTH}} {link.why}"), style="dim")
            out.print(line, soft_wrap=True)
    if not quiet or summary.has_dead:
        out.print(plain(_counts(summary)), soft_wrap=True)


def _by_file(links: list[CheckedLink]) -> dict[str, list[tuple[FilePlace | None, CheckedLink]]]:
    """Each link below each file that has it; links without a file come first."""
    grouped: dict[str, list[tuple[FilePlace | None, CheckedLink]]] = defaultdict(list)
    for link in links:
        if not link.places:
            grouped[""].append((None, link))
        for place in link.places:
            grouped[place.file].append((place, link))
    for found in grouped.values():
        found.sort(key=lambda item: item[0].line if item[0] else 0)
    return dict(sorted(grouped.items()))


def _counts(summary: CheckSummary) -> str:
    counts = ", ".join(f"{count(number)} {verdict}" for verdict, number in summary.counts.items())
    read = f" from {plural(summary.pages, 'page')}" if summary.pages else ""
    return f"{plural(len(summary.links), 'link')}{read} in {span(summary.seconds)}: {counts}"
