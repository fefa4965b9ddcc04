"""The results of extraction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from outrider.extract.metadata.model import Metadata
from outrider.hrefs import Hrefs


class Scan(NamedTuple):
    """The fast path: what every crawled page yields in one walk over the tree, nothing normalised yet.

    `text` is the visible text without script, style, nav, header and footer: a line for each block, single
    spaces and line breaks its only white space. `words` are counted in it. `links` are the raw hrefs of
    <link rel=canonical|alternate|next|prev>, then those of <a> and <area>, each in the order of the page,
    each with whether every mention of it says nofollow; fragments-only and empty ones are left out. `base`
    is what they resolve against.
    """

    title: str | None
    description: str | None
    language: str | None
    base: str
    canonical: str | None  # raw href
    links: Hrefs
    encoded_text: bytes  # in UTF-8, as it is compressed, hashed and stored
    noindex: bool = False
    nofollow: bool = False
    charset: str = "utf-8"
    og_type: str | None = None
    words: int = 0

    @property
    def text(self) -> str:
        return self.encoded_text.decode("utf-8", "surrogatepass")


@dataclass(frozen=True, slots=True)
class Page:
    """Everything that is extracted from a page."""

    url: str
    title: str | None
    description: str | None
    text: str
    links: Sequence[str]  # normalised, unique, in order; the page itself too where it points into itself
    alternates: Sequence[str]  # the same page in another language or form: normalised, unique, in order
    canonical_url: str | None
    language: str | None
    published_at: datetime | None
    author: str | None
    json_ld: Sequence[Mapping[str, Any]] = field(default_factory=tuple)  # all objects, as they were written
    open_graph: Mapping[str, str] = field(default_factory=dict)  # names without `og:`
    metadata: Metadata = field(default_factory=Metadata)
    content_hash: str = ""
    signature: bytes = b""
    noindex: bool = False
    nofollow: bool = False
    charset: str = "utf-8"
