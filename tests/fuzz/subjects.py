"""What is fuzzed: for each subject the examples to begin with, and what must hold for any bytes at all."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.fuzz import answers, dates, imports, pages, urls, xml
from tests.fuzz import robots as robots_txt

CORPUS = Path(__file__).parent / "corpus"


@dataclass(frozen=True, slots=True)
class Subject:
    """`check` raises when a promise is broken."""

    name: str
    check: Callable[[bytes], None]

    @property
    def corpus(self) -> Sequence[bytes]:
        return [path.read_bytes() for path in sorted((CORPUS / self.name).iterdir())]


SUBJECTS = (
    Subject("urls", urls.check),
    Subject("robots", robots_txt.check),
    Subject("feeds", xml.check_feed),
    Subject("sitemaps", xml.check_sitemap),
    Subject("pages", pages.check),
    Subject("selectors", pages.check_selectors),
    Subject("dates", dates.check),
    Subject("imports", imports.check),
    Subject("answers", answers.check),
)
