"""What a link is remembered by, so that nothing needs resolving to recognise it."""

from collections.abc import Iterable

from outrider.urls import origin_of

_ABSOLUTE = ("http://", "https://")
_ANOTHER_HOST = frozenset("/\\\t\n\r")  # behind a slash: `//host`, or what browsers take for it


def memory_keys(source_id: int, base: str, hrefs: Iterable[str]) -> dict[str, str]:
    """The links of a page, none of them empty, by their keys.

    An absolute link means the same everywhere, one from the root on its site, where it is remembered as if
    written out; any other relative one within its folder, and a bare query on its page. What one source's
    rules refuse another's may want.
    """
    everywhere = f"{source_id} "
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
