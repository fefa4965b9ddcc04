"""The keys of links in the seen sets: a link is recognised without resolving it."""

from collections.abc import Iterable, Sequence

from outrider.urls import origin_of

_ABSOLUTE = ("http://", "https://")
_ANOTHER_HOST = frozenset("/\\\t\n\r")  # after a slash: `//host`, or what browsers treat as such


def places_of(source_id: int, run_id: int, base: str) -> tuple[str, str]:
    """Where a link has one meaning, for one source and run: on its site, or everywhere."""
    everywhere = f"{source_id}.{run_id} "
    return everywhere + origin_of(base), everywhere


def by_place(hrefs: Sequence[str], places: tuple[str, str]) -> dict[str, list[str]]:
    """Those links that mean the same on all pages of a place, by place."""
    site, everywhere = places
    return {
        site: [href for href in hrefs if href[0] == "/"],
        everywhere: [href for href in hrefs if href.startswith(_ABSOLUTE)],
    }


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
