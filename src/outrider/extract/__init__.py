"""From bytes to facts about a page.

Two ways lead in. `scan` is what every crawled page goes through: one parse, one walk, some hundred
microseconds, and out come the links as written, title, description, language, visible text and what the
page asks of crawlers. `extract` is the long answer for a page that is kept: its main text, normalised
links, author, date, structured data, a hash, and a signature that finds its near-duplicates. Both read the
same tree by the same rules. `recipe.with_selectors.extract_with` is the long answer for a source that says
where on its pages things stand, or for a site whose system is known; it also says where each field came from.

What holds for all of them, for any bytes, any URL and any content type:

* nothing is raised. What cannot be read is left out, and a page of noise yields an empty answer;
* cost is bounded. Sizes, counts and depths have limits (`tree/bounds.py` tells what a page can do to a
  parser that has none), and no step takes more than linear time;
* nothing is invented. A date, an author or a language that the page does not state is None;
* text is clean. Titles, names and JSON-LD strings carry no control characters and no half surrogates.

The encoding of a page is decided by its byte order mark, then the HTTP header, then its own declaration,
then a guess; `charset` gives it under its WHATWG name. `page.links` are the ways a reader could go on: <a>
and <area>, those marked nofollow included. What <link> refers to is apart, as `canonical_url` and
`alternates`; only for the crawl, `scan` puts it in front of the links. Nothing here touches the network or a
database.
"""

from outrider.extract.encoding.decode import charset, decode
from outrider.extract.model import Page, Scan
from outrider.extract.page import extract
from outrider.extract.scan import scan
from outrider.extract.similarity.content_hash import content_hash
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
