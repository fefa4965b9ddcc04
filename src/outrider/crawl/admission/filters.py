"""URLs that are not worth a request, recognised by the URL alone (FET-13, SPI-07).

A binary is never a page. The other rules are heuristics: baskets, log-in forms and share buttons are
links without content. In doubt the URL is fetched. The heuristics do not apply to URLs that an operator
submitted, and an operator may switch them off.
"""

import re
from functools import lru_cache

from outrider.crawl.admission.skip_reason import SkipReason
from outrider.urls import host_of, origin_of, path_of


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_BINARY = _names(
    """
    jpg jpeg png gif webp avif bmp tif tiff heic psd eps
    mp3 wav flac aac m4a ogg oga opus wma mp4 m4v mov avi mkv webm wmv flv mpg mpeg 3gp swf
    pdf ps doc docx xls xlsx ppt pptx odt ods odp rtf epub mobi azw3 djvu
    zip gz tgz bz2 xz zst 7z rar tar jar war deb rpm apk ipa dmg pkg iso exe msi bin dll parquet torrent
    """
)
_ASSET = _names("css js mjs map woff woff2 ttf otf eot ico svg wasm webmanifest")
_ASSET_PATH = re.compile(
    r"/(?:wp-(?:includes|json|content/(?:plugins|themes|cache))|_next/(?:static|data|image)|cdn-cgi)(?:/|\Z)"
)
_DOWNLOAD_QUERY = re.compile(r"[?&]download=(?:1|true|yes)(?:&|\Z)")

_ACTIONS = _names(
    """
    login log-in logon signin sign-in logout log-out signout sign-out signup sign-up
    wp-login wp-admin wp-signup my-account myaccount
    forgot-password reset-password password-reset lost-password unsubscribe
    search suche recherche buscar cart basket checkout warenkorb kasse wishlist
    """
)
_ACTION_QUERY = re.compile(
    r"[?&](?:add-to-cart|add_to_cart|replytocom|action=(?:edit|login|logout|register)(?:&|\Z))"
)
_ACCOUNT_AREAS = _names(
    "account accounts auth user users member members customer customers my shop store session sessions"
)
_LANGUAGE = re.compile(r"[a-z]{2}(?:[-_][a-z]{2,4})?\Z", re.IGNORECASE)

# Host, without www., and the paths that are buttons; no paths means the whole host.
_SHARE: dict[str, tuple[str, ...]] = {
    "facebook.com": ("/sharer", "/share.php", "/dialog/"),
    "twitter.com": ("/intent/", "/share"),
    "x.com": ("/intent/", "/share"),
    "linkedin.com": ("/shareArticle", "/sharing/", "/cws/share"),
    "pinterest.com": ("/pin/create",),
    "reddit.com": ("/submit",),
    "tumblr.com": ("/share", "/widgets/share"),
    "t.me": ("/share",),
    "vk.com": ("/share.php",),
    "getpocket.com": ("/save", "/edit"),
    "news.ycombinator.com": ("/submitlink",),
    "translate.google.com": (),
    "wa.me": (),
    "api.whatsapp.com": (),
    "addtoany.com": (),
    "addthis.com": (),
    "doubleclick.net": (),
    "googlesyndication.com": (),
    "googleadservices.com": (),
    "google-analytics.com": (),
    "googletagmanager.com": (),
}


def skip(url: str, *, content_filter: bool = True) -> SkipReason | None:
    """Why a normalised URL is not fetched, or None. Without the content filter only binaries are skipped."""
    target = path_of(url)
    path = target.partition("?")[0]
    name = path[path.rfind("/") + 1 :]
    extension = _extension_of(name) if "." in name else ""
    if extension in _BINARY or ("download" in target and _is_download(path, target)):
        return SkipReason.BINARY
    if not content_filter:
        return None
    if extension in _ASSET or _ASSET_PATH.search(path):
        return SkipReason.ASSET
    if _is_action(path) or (path != target and _ACTION_QUERY.search(target)):
        return SkipReason.ACTION
    buttons = _share_buttons(origin_of(url))
    is_share = buttons is not None and (not buttons or path.startswith(buttons))
    return SkipReason.SHARE if is_share else None


def _extension_of(name: str) -> str:
    """The text after the last dot. Wiki *pages* about files (`File:Moon.jpg`) have no extension."""
    stem, _, extension = name.rpartition(".")
    return extension.lower() if stem and ":" not in name else ""


def _is_download(path: str, target: str) -> bool:
    """`/files/123/download` and `?download=1`; a page that lists downloads is a page."""
    parent, _, last = path.rpartition("/")
    if last == "download" and any(map(str.isdigit, parent.rpartition("/")[2])):
        return True
    return _DOWNLOAD_QUERY.search(target) is not None


def _is_action(path: str) -> bool:
    """`/login`, `/en/search`, `/shop/cart`; in deeper paths the same word may be a topic."""
    if _ACTIONS.isdisjoint(path.lower().replace(".", "/").split("/")):
        return False  # nearly every path: no part of it is such a word
    _, first, *others = path.split("/", 3)
    if _stem(first) in _ACTIONS:
        return True
    if not others or _stem(others[0]) not in _ACTIONS:
        return False
    return first in _ACCOUNT_AREAS or _LANGUAGE.match(first) is not None


def _stem(segment: str) -> str:
    """The segment in lower case without its extension: `Login.php` is `login`."""
    return segment.partition(".")[0].lower()


@lru_cache(maxsize=4_096)  # the links of a site have few origins
def _share_buttons(origin: str) -> tuple[str, ...] | None:
    """The paths of the buttons at an origin; empty: all its paths; None: it has no buttons."""
    host = host_of(f"{origin}/")
    buttons = _SHARE.get(host)
    return _SHARE.get(host.partition(".")[2]) if buttons is None else buttons
