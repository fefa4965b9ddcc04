"""What is fuzzed: for each subject the examples to begin with, and what must hold for any bytes at all."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.fuzz import answers, dates, imports, native, pages, urls, xml
from tests.fuzz import robots as robots_txt
from tests.fuzz.subject import Check

CORPUS = Path(__file__).parent / "corpus"


@dataclass(frozen=True, slots=True)
class Subject:
    """`with subject.checking() as check:` has what it needs for many inputs."""

    name: str
    checking: Callable[[], AbstractContextManager[Check]]

    @property
    def corpus(self) -> Sequence[bytes]:
        return [path.read_bytes() for path in sorted((CORPUS / self.name).iterdir())]


SUBJECTS = (
    Subject("urls", partial(nullcontext, urls.check)),
    Subject("robots", partial(nullcontext, robots_txt.check)),
    Subject("feeds", partial(nullcontext, xml.check_feed)),
    Subject("sitemaps", partial(nullcontext, xml.check_sitemap)),
    Subject("pages", partial(nullcontext, pages.check)),
    Subject("native", native.checking),
    Subject("selectors", partial(nullcontext, pages.check_selectors)),
    Subject("dates", partial(nullcontext, dates.check)),
    Subject("imports", partial(nullcontext, imports.check)),
    Subject("answers", answers.checking),
)
