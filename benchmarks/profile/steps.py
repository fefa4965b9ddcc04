"""Which step of a page's way a sampled stack belongs to. Pure."""

from collections.abc import Iterator, Mapping
from enum import StrEnum


class Step(StrEnum):
    """All that a worker does, in the order of a page's way, as the table calls it."""

    FETCH = "fetching: client and socket"
    PARSE = "charset, and the parser where the page needs a tree"
    WALK = "reading the page: links, text, title and directives"
    PACK = "compressing text and links (zstd 1)"
    DRAFT = "hashing the text, the draft of the document"
    SIGN = "the signature that finds near-duplicates"
    LINKS = "links: recognising the known, judging the others"
    WORTH = "words, page type, what the template showed"
    ROBOTS = "robots.txt: rules and delay"
    VISIT = "the visit around it: turn, decision, batch, counters"
    DATABASE = "database, client side: claim, flush, release"
    LOOP = "event loop"
    REST = "the rest: lanes, heartbeats, what could not be told apart"


# By where the code is: a folder, a file, or one function of a file, the narrowest of which holds.
# What has no rule, such as `outrider/urls`, works for whoever called it.
RULES: Mapping[str, Step] = {
    "outrider/fetch": Step.FETCH,
    "outrider/extract/encoding": Step.PARSE,
    "outrider/extract/tree/bounds.py": Step.PARSE,
    "outrider/extract/tree/nesting.py": Step.PARSE,
    "outrider/extract/tree/parse.py": Step.PARSE,
    "outrider/extract": Step.WALK,
    "outrider/crawl/pages/handler.py:_scan": Step.WALK,
    "outrider/documents/packing.py": Step.PACK,
    "outrider/extract/similarity/content_hash.py": Step.DRAFT,
    "outrider/extract/similarity": Step.SIGN,
    "outrider/extract/native/library.py:Library.signature": Step.SIGN,
    "outrider/crawl/pages/absorb.py:draft_of": Step.DRAFT,
    "outrider/crawl/pages/absorb.py:_canonical": Step.DRAFT,
    "outrider/crawl/pages/absorb.py": Step.LINKS,
    "outrider/crawl/pages/memory.py": Step.LINKS,
    "outrider/crawl/admission": Step.LINKS,
    "outrider/crawl/seen.py": Step.LINKS,
    "outrider/crawl/pages/assessment.py": Step.WORTH,
    "outrider/crawl/admission/templates.py": Step.WORTH,
    "outrider/extract/article": Step.WORTH,
    "outrider/crawl/robots": Step.ROBOTS,
    "outrider/robots": Step.ROBOTS,
    "outrider/crawl": Step.VISIT,
    "outrider/hosts": Step.VISIT,
    "outrider/watch/spider": Step.VISIT,
    "outrider/crawl/flush.py": Step.DATABASE,
    "outrider/db": Step.DATABASE,
    "outrider/documents/store.py": Step.DATABASE,
    "outrider/frontier/flush.py": Step.DATABASE,
    "outrider/frontier/leases.py": Step.DATABASE,
    "outrider/frontier/rows.py": Step.DATABASE,
    "asyncpg": Step.DATABASE,
    "asyncio": Step.LOOP,
    "uvloop": Step.LOOP,
    "outrider/jobs": Step.REST,
    "outrider/watch": Step.REST,
    "outrider/workers": Step.REST,
}

# Near-duplicates wait for leisure, which a worker that is stopped for every sample has more often.
PUT_OFF = ("outrider/documents/near_duplicates.py",)
OTHER_THREAD = "Thread._bootstrap "


def step_of(stack: str) -> Step | None:
    """The step of a folded stack, by the innermost of its frames that has a rule; None if it is not a page's.

    A frame is `name (file:line)`, and the outermost comes first.
    """
    if stack.startswith(OTHER_THREAD) or any(f"({place}" in stack for place in PUT_OFF):
        return None
    for frame in reversed(stack.split(";")):
        for place in _places(frame):
            if step := RULES.get(place):
                return step
    return Step.REST


def _places(frame: str) -> Iterator[str]:
    """`A.b (x/y.py:7)` → `x/y.py:A.b`, `x/y.py`, `x`; what is defined in a function is at that function's."""
    name, _, where = frame.rpartition(" (")
    path = where.rpartition(":")[0]
    yield f"{path}:{name.partition('.<locals>')[0]}"
    while path:
        yield path
        path = path.rpartition("/")[0]
