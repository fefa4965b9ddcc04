"""The fragments of Markdown headings, as GitHub and most generators make them. Pure."""

import re

_EXPLICIT = re.compile(r"\s*\{:?\s*#([\w:.-]+)[^}]*\}\s*$")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_MARKUP = re.compile(r"[*`~]|<[^>]{0,200}>")
_UNDERSCORES = re.compile(r"(?<!\w)_+(\S(?:[^_]*\S)?)_+(?!\w)")
_DROPPED = re.compile(r"[^\w\- ]")


def slug_of(heading: str) -> str:
    """`## What *it* does (now)` → `what-it-does-now`."""
    text = _MARKUP.sub("", _LINK.sub(r"\1", heading))
    text = _UNDERSCORES.sub(r"\1", text)
    return _DROPPED.sub("", text.strip().lower()).replace(" ", "-")


def heading_fragments(headings: list[str]) -> set[str]:
    """The fragments of these headings; equal ones are numbered."""
    found: set[str] = set()
    times: dict[str, int] = {}
    for heading in headings:
        explicit = _EXPLICIT.search(heading)
        if explicit:
            found.add(explicit[1])
            heading = heading[: explicit.start()]
        slug = slug_of(heading)
        count = times.get(slug, 0)
        times[slug] = count + 1
        found.add(f"{slug}-{count}" if count else slug)
        if count:
            found.add(f"{slug}_{count}")  # the numbering of Python-Markdown
    return found
