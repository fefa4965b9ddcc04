"""Whether a page is the one that its host gives for every address (a soft 404). Pure."""

from outrider.links.evidence import LinkProbe
from outrider.text_signatures import are_alike
from outrider.urls import path_of


def is_soft_404(link: LinkProbe, random_path: LinkProbe) -> bool:
    """Whether the link and an address that cannot exist get the same answer.

    The front page is never a soft 404: many hosts show it for every other address. Two pages that share a
    frame are alike but not the same, so similar texts count only under the same title.
    """
    if not (link.is_success and random_path.is_success) or _is_front_page(link.url):
        return False
    if link.hops and link.final_url == random_path.final_url:
        return True
    one, other = link.page, random_path.page
    if one is None or other is None:
        return False
    if one.text_hash == other.text_hash:
        return True
    if one.says_missing and (other.says_missing or one.title == other.title):
        return True
    if one.title != other.title:
        return False
    return bool(one.signature) and are_alike(one.signature, other.signature)


def _is_front_page(url: str) -> bool:
    return path_of(url).partition("?")[0] in ("", "/")
