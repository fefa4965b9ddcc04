"""The keys of links in the seen sets: a link is recognised without resolving it."""

from collections.abc import Iterable

from outrider.urls import origin_of

_ABSOLUTE = ("http://", "https://")
_FIXED = ("/", *_ABSOLUTE)
_ANOTHER_HOST = frozenset("/\\\t\n\r")  # after a slash: `//host`, or what browsers treat as such


def place_of(source_id: int, run_id: int, base: str) -> str:
    """Where links that `is_fixed` accepts have one meaning each: a site, for one source and run."""
    return f"{source_id}.{run_id} {origin_of(base)}"


def is_fixed(href: str) -> bool:
    """Whether a link means the same on all pages of a site."""
    return href.startswith(_FIXED)


def memory_keys(source_id: int, run_id: int, base: str, hrefs: Iterable[str]) -> dict[str, str]:
    """The links of a page by their keys; no link may be empty.

    A key holds as far as its link has one meaning: an absolute link everywhere, a root-relative link on its
    site (its key is the absolute link), any other relative link in its folder, a bare query on its page. The
    source is part of the key, because the rules of each source differ. So is the run: a page that was queued
    before the run began joins the run when one of its links leads there.
    """
    everywhere = f"{source_id}.{run_id} "
    on_site = everywhere + origin_of(base)
    in_folder = everywhere + base[: base.rfind("/") + 1]
    on_page = everywhere + base
    return {
        (
            on_site
            if href[0] == "/" and href[1:2] not in _ANOTHER_HOST
            else everywhere
            if href.startswith(_ABSOLUTE)
            else on_page
            if href[0] == "?"
            else in_folder
        )
        + href: href
        for href in hrefs
    }
