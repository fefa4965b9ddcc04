"""The newspaper's ordinary pages."""

from collections.abc import Sequence
from html import escape

from outrider.demo.layout import MOTTO, NAME, json_ld, meta, page
from outrider.demo.stories import SECTIONS, Story, author_path, authors, stories

PER_ARCHIVE_PAGE = 8
_PUBLISHER: dict[str, object] = {"@type": "NewsMediaOrganization", "name": NAME}


def home() -> str:
    first, *rest = stories()
    lead = f"""<section class="lead">
<a href="{first.path}"><img src="/art/{first.slug}.svg" alt=""></a>
<div><p class="kicker">{SECTIONS[first.section]}</p><h1><a href="{first.path}">{escape(first.title)}</a></h1>
<p class="standfirst">{escape(first.standfirst)}</p>{_byline(first)}</div>
</section>"""
    return page("Home", lead + _cards(rest[:9]), head=json_ld(_PUBLISHER))


def section(slug: str) -> str:
    name = SECTIONS[slug]
    chosen = [story for story in stories() if story.section == slug]
    return page(name, f"<h1>{name}</h1>{_cards(chosen)}", description=f"{name} stories from {NAME}")


def article(story: Story, origin: str) -> str:
    """A story with the metadata of a publisher: canonical link, Open Graph and JSON-LD."""
    url, image = origin + story.path, f"{origin}/art/{story.slug}.svg"
    head = (
        f'<link rel="canonical" href="{url}">\n'
        f'<meta name="author" content="{escape(story.author)}">\n'
        + meta(
            {
                "og:type": "article",
                "og:title": story.title,
                "og:description": story.standfirst,
                "og:url": url,
                "og:image": image,
                "og:site_name": NAME,
                "article:published_time": story.published.isoformat(),
                "article:section": SECTIONS[story.section],
            }
        )
        + json_ld(
            {
                "@type": "NewsArticle",
                "headline": story.title,
                "datePublished": story.published.isoformat(),
                "author": {"@type": "Person", "name": story.author},
                "publisher": _PUBLISHER,
                "image": [image],
                "mainEntityOfPage": url,
            }
        )
    )
    return page(story.title, article_body(story) + _related(story), description=story.standfirst, head=head)


def article_body(story: Story) -> str:
    """The part of a story that is the same on every page that shows it."""
    paragraphs = "".join(f"<p>{escape(paragraph)}</p>\n" for paragraph in story.paragraphs)
    return f"""<article class="reading">
<p class="kicker">{SECTIONS[story.section]}</p>
<h1>{escape(story.title)}</h1>
<p class="standfirst">{escape(story.standfirst)}</p>
{_byline(story)}
<img src="/art/{story.slug}.svg" alt="">
<div class="body">{paragraphs}</div>
</article>"""


def person(path: str) -> str:
    written = authors()[path]
    name = written[0].author
    return page(name, f"<h1>{escape(name)}</h1>{_cards(written)}", description=f"Stories by {name}")


def archive(number: int) -> str:
    """One page of all stories, numbered from 1: a parameter that is worth following."""
    last = archive_pages()
    chosen = stories()[(number - 1) * PER_ARCHIVE_PAGE : number * PER_ARCHIVE_PAGE]
    rows = "".join(
        f'<tr><td>{story.published:%d %B %Y}</td><td><a href="{story.path}">{escape(story.title)}</a></td>'
        f"<td>{escape(story.author)}</td></tr>"
        for story in chosen
    )
    newer = f'<a rel="prev" href="{_archive_path(number - 1)}">← Newer</a>' if number > 1 else ""
    older = f'<a rel="next" href="{_archive_path(number + 1)}">Older →</a>' if number < last else ""
    table = f"<table><tr><th>Published</th><th>Story</th><th>By</th></tr>{rows}</table>"
    return page(
        f"Archive, page {number}",
        f'<h1>Archive</h1>{table}<p class="pager"><span>{newer}</span><span>{older}</span></p>',
    )


def archive_pages() -> int:
    return -(-len(stories()) // PER_ARCHIVE_PAGE)


def about() -> str:
    staff = "".join(
        f'<li><a href="{path}">{escape(written[0].author)}</a>, {len(written)} stories this season</li>'
        for path, written in authors().items()
    )
    return page(
        "About",
        f"""<article class="reading"><h1>About the paper</h1>
<p class="standfirst">{MOTTO}.</p>
<p>The Courier was founded in 1871 to publish the tide tables and has been distracted ever since. It has a
staff of five, one bicycle, and a printing press that was meant to be temporary.</p>
<p>It is also a test piece. The town is invented, the site is served by the crawler that is reading it, and
everything that goes wrong here goes wrong on purpose: see <a href="/tour">the odd corners</a>.</p>
<h2>Who writes it</h2><ul>{staff}</ul></article>""",
    )


def contact() -> str:
    return page(
        "Contact",
        """<article class="reading"><h1>Contact</h1>
<p>Letters are read aloud on Mondays. Write to <a href="mailto:editor@courier.invalid">the editor</a>, ring
<a href="tel:+440000000000">the front desk</a> before noon, or <a href="javascript:print()">print this</a> and
bring it to the counter. Corrections appear on the page that was wrong, in the same size of type.</p>
<p><a href="#top">Back to the top</a></p></article>""",
    )


def _cards(chosen: Sequence[Story]) -> str:
    cards = "".join(
        f'<div class="card"><a href="{story.path}"><img src="/art/{story.slug}.svg" alt=""></a>'
        f'<p class="kicker">{SECTIONS[story.section]}</p>'
        f'<h2><a href="{story.path}">{escape(story.title)}</a></h2>'
        f'<p class="summary">{escape(story.standfirst)}</p>{_byline(story)}</div>'
        for story in chosen
    )
    return f'<div class="grid">{cards}</div>'


def _byline(story: Story) -> str:
    return (
        f'<p class="byline">By <a href="{author_path(story.author)}">{escape(story.author)}</a>, '
        f'<time datetime="{story.published.isoformat()}">{story.published:%d %B %Y}</time></p>'
    )


def _related(story: Story) -> str:
    others = [other for other in stories() if other.section == story.section and other != story][:3]
    items = "".join(f'<li><a href="{other.path}">{escape(other.title)}</a></li>' for other in others)
    more = f'<li><a href="{story.path}?utm_source=related&amp;utm_medium=box">Share this story</a></li>'
    return f'<nav class="related"><h2>More from {SECTIONS[story.section]}</h2><ul>{items}{more}</ul></nav>'


def _archive_path(number: int) -> str:
    return f"/archive?page={number}" if number > 1 else "/archive"
