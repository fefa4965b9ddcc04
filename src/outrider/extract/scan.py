"""The fast path: what every crawled page yields, in one parse and one walk."""

from itertools import islice

from outrider.extract.encoding.decode import as_utf8
from outrider.extract.links import base_of
from outrider.extract.metadata.directives import Directives, from_header, from_meta, product_token
from outrider.extract.metadata.fields import MAX_DESCRIPTION, MAX_TITLE
from outrider.extract.metadata.language import first_language
from outrider.extract.metadata.wording import one_line
from outrider.extract.model import Scan
from outrider.extract.tree.parse import parse
from outrider.extract.tree.survey import THIS_PAGE, Survey, survey

MAX_LINKS = 1000
MAX_TEXT = 2_000_000
MAX_TYPE = 40


def scan(
    body: bytes,
    url: str,
    content_type: str | None = None,
    x_robots_tag: str | None = None,
    agent: str = "outrider",
) -> Scan:
    """What the page at `url` says of itself, and where it points. Never fails, whatever the bytes."""
    html, charset = as_utf8(body, content_type)
    tree = parse(html)
    found = survey(tree, MAX_LINKS)
    wishes = directives(found, x_robots_tag, agent)
    # Last in the order of the page first, so that no element is taken out after one that held it.
    for node in reversed(found.hidden):
        node.decompose()
    content = tree.body
    text = content.text(separator="\n", strip=True, skip_empty=True) if content else ""
    return Scan(
        title=one_line(found.title, MAX_TITLE),
        description=one_line(found.meta("description"), MAX_DESCRIPTION),
        language=first_language((found.language, found.meta("content-language"), found.meta("og:locale"))),
        base=base_of(found.bases, url),
        canonical=found.canonical,
        links=_ways_on(found),
        text=text[:MAX_TEXT],
        noindex=wishes.noindex,
        nofollow=wishes.nofollow,
        charset=charset,
        og_type=one_line(found.meta("og:type"), MAX_TYPE),
    )


def _ways_on(found: Survey) -> dict[str, bool]:
    """What the head of the page refers to, then its links; what it declares as a feed is no page to go to."""
    links = found.links
    links.pop(THIS_PAGE, None)
    if not found.relations:
        return links
    for feed in found.feeds:
        links.pop(feed, None)
        found.relations.pop(feed, None)
    merged = dict.fromkeys(found.relations, False) | links
    merged |= dict.fromkeys(found.relations, False)  # a relation is a mention without nofollow
    return dict(islice(merged.items(), MAX_LINKS))


def directives(found: Survey, x_robots_tag: str | None, agent: str) -> Directives:
    """What page and header together ask of us: of several wishes, the strictest."""
    wishes = from_header(x_robots_tag, agent)
    for name in ("robots", product_token(agent)):
        for content in found.metas.get(name, ()):
            wishes |= from_meta(content)
    return wishes
