"""Hosts some of whose pages cannot be had for now: they say that they are busy, or hang up."""

from pathlib import Path

from chaos.slowness import FIRST_OCTET
from tests.support.site import Answer, Plan, Site, page_path

# No breaker trips for the host: each page is judged by its own failures.
FAILING = {"OUTRIDER_BREAKER_FAILURES": "10", "OUTRIDER_TIMEOUT": "1", "OUTRIDER_PATIENCE": "10"}
_PAGES = 8
_FOR_NOW = {page_path(3): Answer(status=503), page_path(4): Answer(hang_up=True)}


def failing_site(folder: Path, hosts: int) -> Site:
    answers = {path: [answer] for path, answer in _FOR_NOW.items()}
    return Site.start(folder, Plan(pages=_PAGES, hosts=hosts, first_octet=FIRST_OCTET, answers=answers))


def failing_urls(site: Site) -> list[str]:
    return [origin + path for origin in site.origins for path in _FOR_NOW]
