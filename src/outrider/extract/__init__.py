"""Extract text, links and metadata from the bytes of a page.

There are two entry points. `scan` reads every crawled page: one parse and one walk in some hundred
microseconds return the links as written, title, description, language, visible text and the robots
directives. `extract` reads a page that is kept: its main text, normalised links, author, date, structured
data, a hash, and a signature that finds near-duplicates. Both read the same tree by the same rules.
`recipe.with_selectors.extract_with` does the same as `extract` with the selectors of a source or the
template of a known system; it also returns where each field was found.

All of them guarantee, for any bytes, any URL and any content type:

* nothing is raised. Unreadable parts are left out, and a page of noise yields an empty result;
* cost is bounded. Sizes, counts and depths have limits (`tree/bounds.py` explains why), and no step takes
  more than linear time;
* nothing is invented. A date, an author or a language that the page does not state is None;
* text is clean. Titles, names and JSON-LD strings carry no control characters and no half surrogates.

The encoding of a page is decided by its byte order mark, then the HTTP header, then its own declaration,
then a guess; `charset` is its WHATWG name. `page.links` has the links of <a> and <area>, including nofollow
links. The targets of <link> are in `canonical_url` and `alternates`; only `scan` puts them in front of the
links, for the crawl. Nothing here uses the network or a database.
"""

from typing import TYPE_CHECKING

from outrider.extract.encoding.decode import charset, decode
from outrider.extract.model import Page, Scan
from outrider.extract.scan import scan  # a module has the same name, so this one cannot wait
from outrider.extract.similarity.content_hash import content_hash
from outrider.lazy import lazy_names

if TYPE_CHECKING:
    from outrider.extract.page import extract
    from outrider.extract.similarity.signature import near_duplicates, signature

__all__ = [
    "Page",
    "Scan",
    "charset",
    "content_hash",
    "decode",
    "extract",
    "near_duplicates",
    "scan",
    "signature",
]

__getattr__ = lazy_names(
    __name__, {"page": ("extract",), "similarity.signature": ("near_duplicates", "signature")}
)
