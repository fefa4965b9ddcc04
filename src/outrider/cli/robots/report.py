"""Print a robots.txt: whether a path is allowed, and the lines that apply to this crawler."""

from collections.abc import Iterator
from datetime import datetime

from outrider.cli.output import console, plain
from outrider.cli.show.facts import facts
from outrider.robots import AGENT
from outrider.robots.files import StoredFile
from outrider.wording import plural, size, when

_MOST_LINES = 60
_MOST_SITEMAPS = 10


def show_file(file: StoredFile, path: str | None, now: datetime) -> None:
    out = console()
    out.print(plain(f"{file.origin}/robots.txt", "bold"))
    out.print(facts(_facts(file, path, now)))
    if path is None and file.body:
        out.print()
        lines = file.body.decode("utf-8", "replace").splitlines()
        for number, line in enumerate(lines[:_MOST_LINES], start=1):
            out.print(plain(f"{number:4}  ", "bright_black"), plain(line), sep="")
        if len(lines) > _MOST_LINES:
            out.print(plain(f"      … {plural(len(lines) - _MOST_LINES, 'more line')}; --json has them all"))


def _facts(file: StoredFile, path: str | None, now: datetime) -> Iterator[tuple[str, object]]:
    rules = file.rules
    if path is not None:
        verdict = rules.verdict(AGENT, file.origin + path)
        style = "bold green" if verdict.allowed else "bold red"
        yield "verdict", plain(f"{path} is {'allowed' if verdict.allowed else 'not allowed'}", style)
        yield "because", f"line {verdict.line}: {verdict.rule}" if verdict.rule else "no rule matches it"
    yield "answered", f"{file.status}, {size(len(file.body))}"
    yield "fetched", when(file.fetched_at, now)
    stale = " (it is fetched again before the next request)" if file.expires_at <= now else ""
    yield "believed", f"until {when(file.expires_at, now)}{stale}"
    group = rules.verdict(AGENT, f"{file.origin}/").group
    yield "our group", f"User-agent: {group}" if group else "none: everything is allowed"
    delay_s = rules.crawl_delay(AGENT)
    yield "delay", "none asked for" if delay_s is None else f"{delay_s:g} s"
    for sitemap in rules.sitemaps[:_MOST_SITEMAPS]:
        yield "sitemap", sitemap
