"""The layout of the newspaper: one page frame, inline style, no external resources."""

import json
from functools import cache
from html import escape
from importlib.resources import files

from outrider.demo.stories import SECTIONS

NAME = "The Alderford Courier"
MOTTO = "News from both banks of the river, most of it true"


@cache
def style() -> str:
    return files("outrider.demo").joinpath("content/style.css").read_text(encoding="utf-8")


def page(title: str, main: str, *, description: str = "", head: str = "", language: str = "en") -> str:
    """A whole document. `main` and `head` are markup, the rest is text."""
    nav = "".join(f'<a href="/{slug}">{name}</a>' for slug, name in SECTIONS.items())
    return f"""<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)} · {NAME}</title>
<meta name="description" content="{escape(description or MOTTO)}">
<link rel="alternate" type="application/rss+xml" title="{NAME} (RSS)" href="/feeds/rss">
<link rel="alternate" type="application/atom+xml" title="{NAME} (Atom)" href="/feeds/atom">
{head}<style>{style()}</style>
</head>
<body>
<header class="masthead"><a href="/">{NAME}</a><p>{MOTTO}</p></header>
<nav class="sections">{nav}<a href="/archive">Archive</a><a href="/tour">The odd corners</a></nav>
<main>
{main}
</main>
<footer>
<a href="/about">About</a><a href="/contact">Contact</a><a href="/calendar?month=2026-06">Calendar</a>
<a href="/market">Market</a><a href="/maps">Maps</a>
<p>A town that does not exist, served by Outrider.</p>
</footer>
</body>
</html>
"""


def bare(title: str, body: str, head: str = '<meta charset="utf-8">') -> str:
    """A document without the frame: print versions, and pages older than the design."""
    head = f"{head}<title>{escape(title)}</title>"
    return f"<!doctype html>\n<html>\n<head>{head}</head>\n<body>{body}</body>\n</html>\n"


def meta(properties: dict[str, str]) -> str:
    """Open Graph properties as markup."""
    return "".join(
        f'<meta property="{name}" content="{escape(value)}">\n' for name, value in properties.items()
    )


def json_ld(facts: dict[str, object]) -> str:
    """Structured data as markup; `<` is escaped so that no text can close the script."""
    text = json.dumps({"@context": "https://schema.org", **facts}, ensure_ascii=False).replace("<", "\\u003c")
    return f'<script type="application/ld+json">{text}</script>\n'
