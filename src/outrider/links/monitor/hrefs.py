"""Which links of a content field are stored, and how. Pure."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from hashlib import sha256

from outrider.errors import InvalidInput, InvalidUrl
from outrider.links.monitor.model import LinkKind, LinkType
from outrider.links.reason import LinkReason
from outrider.links.selection import is_bad_email_link
from outrider.urls import UrlKey, host_id_of, host_of, normalize, origin_of, path_of, resolve

MOST_LINKS = 1_000  # of one field
LONGEST_URL = 2_000  # bytes
LONGEST_KEY = 400
_KEY = re.compile(r"[^\s\x00-\x1f\x7f]+(?: [^\s\x00-\x1f\x7f]+)*")
_NOT_CHECKED = re.compile(r"(?:tel|sms|javascript|data|blob|ftp|geo):", re.IGNORECASE)
_OWN_KEY = "outrider-link-check "


@dataclass(frozen=True, slots=True)
class FieldLink:
    """A link of a field: a path of the site, or an external address with the key of its entry."""

    url: str
    link_type: LinkType
    key: UrlKey | None = None
    fixed: LinkReason | None = None  # what its spelling alone says


def link_key(url: str) -> UrlKey:
    """The key of the frontier entry that checks an address: another one than that of the page there."""
    digest = sha256(f"{_OWN_KEY}{url}".encode("utf-8", "surrogatepass")).hexdigest()
    return UrlKey(host_id_of(host_of(url)), digest[:32])


def checked_source_key(source_key: str) -> str:
    """The name of a field; raises InvalidInput if it is empty, too long or not printable."""
    if not _KEY.fullmatch(source_key) or len(source_key.encode("utf-8", "surrogatepass")) > LONGEST_KEY:
        raise InvalidInput(
            f"the name of a field has 1 to {LONGEST_KEY} bytes, as in nav.about or page:/x#body"
        )
    return source_key


def field_links(
    hrefs: Iterable[str],
    site_origin: str,
    kind: LinkKind = LinkKind.OTHER,
    hosts: Collection[str] = (),
) -> list[FieldLink]:
    """The links to store, each once. mailto, tel and pure fragments are left out (DLM-19).

    A link to one of the `hosts` of the site is a link within the site, whatever its scheme. A field of e-mail
    addresses is judged by spelling (DLM-18). Raises InvalidInput for too many links, or one that is too long.
    """
    found: dict[str, FieldLink] = {}
    for href in hrefs:
        text = href.strip()
        link = _email(text) if kind is LinkKind.EMAIL else _field_link(text, site_origin, hosts)
        if link is None:
            continue
        if len(link.url.encode("utf-8", "surrogatepass")) > LONGEST_URL:
            raise InvalidInput(f"a link has at most {LONGEST_URL:,} bytes, not {link.url[:80]}…")
        found.setdefault(link.url, link)
        if len(found) > MOST_LINKS:
            raise InvalidInput(f"a field has at most {MOST_LINKS:,} links")
    return list(found.values())


def _field_link(href: str, site_origin: str, hosts: Collection[str]) -> FieldLink | None:
    if not href or href.startswith("#") or _NOT_CHECKED.match(href):
        return None
    if href.lower().startswith("mailto:"):
        return _email(href) if is_bad_email_link(href) else None
    try:
        address = resolve(href, f"{site_origin}/")
        origin = origin_of(address)
        if origin == site_origin or origin.partition("://")[2] in hosts:
            return FieldLink(_path(address), LinkType.INTERNAL)
        url = normalize(address)
        return FieldLink(url, LinkType.EXTERNAL, link_key(url))
    except InvalidUrl:
        return FieldLink(_storable(href), LinkType.INTERNAL, fixed=LinkReason.INVALID_ADDRESS)


def _email(text: str) -> FieldLink | None:
    """An e-mail address, judged by its spelling."""
    if not text:
        return None
    address = text if text.lower().startswith("mailto:") else f"mailto:{text}"
    is_good = address.lower() != "mailto:" and not is_bad_email_link(address)
    reason = LinkReason.EMAIL_FORMAT if is_good else LinkReason.BAD_EMAIL
    return FieldLink(_storable(text), LinkType.INTERNAL, fixed=reason)


def _path(address: str) -> str:
    """The path that the inventory of a site knows: without query and closing slash."""
    return path_of(address).partition("?")[0].rstrip("/") or "/"


def _storable(text: str) -> str:
    return text.replace("\x00", "\ufffd").encode("utf-8", "replace").decode()
