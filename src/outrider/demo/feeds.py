"""The machine-readable files of the newspaper: two feeds, a sitemap, a robots.txt."""

from email.utils import format_datetime
from xml.sax.saxutils import escape

from outrider.demo.layout import MOTTO, NAME
from outrider.demo.stories import SECTIONS, Story, stories

_RECENT = 12


def rss(origin: str) -> str:
    items = "".join(
        f"<item><title>{escape(story.title)}</title><link>{origin}{story.path}</link>"
        f'<guid isPermaLink="true">{origin}{story.path}</guid>'
        f"<pubDate>{format_datetime(story.published)}</pubDate>"
        f"<dc:creator>{escape(story.author)}</dc:creator><category>{SECTIONS[story.section]}</category>"
        f"<description>{escape(story.standfirst)}</description></item>\n"
        for story in stories()[:_RECENT]
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>\n'
        f"<title>{NAME}</title><link>{origin}/</link><description>{MOTTO}</description><language>en</language>\n"
        f"{items}</channel></rss>\n"
    )


def atom(origin: str) -> str:
    entries = "".join(_atom_entry(story, origin) for story in stories()[:_RECENT])
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">\n'
        f'<title>{NAME}</title><subtitle>{MOTTO}</subtitle><id>{origin}/</id><link href="{origin}/"/>\n'
        f'<link rel="self" href="{origin}/feeds/atom"/>\n'
        f"<updated>{stories()[0].published.isoformat()}</updated>\n"
        f"{entries}</feed>\n"
    )


def sitemap(origin: str) -> str:
    urls = "".join(
        f"<url><loc>{origin}{story.path}</loc><lastmod>{story.published:%Y-%m-%d}</lastmod></url>\n"
        for story in stories()
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{urls}</urlset>\n'
    )


def robots(origin: str) -> str:
    return f"User-agent: *\nDisallow: /private/\n\nSitemap: {origin}/sitemap.xml\n"


def _atom_entry(story: Story, origin: str) -> str:
    url, at = origin + story.path, story.published.isoformat()
    return (
        f'<entry><title>{escape(story.title)}</title><id>{url}</id><link href="{url}"/>'
        f"<published>{at}</published><updated>{at}</updated><author><name>{escape(story.author)}</name></author>"
        f'<category term="{story.section}"/><summary>{escape(story.standfirst)}</summary></entry>\n'
    )
