"""The page that links to every exhibit."""

from html import escape

from outrider.demo.exhibits import Exhibit, Expect, tour
from outrider.demo.layout import page


def tour_page() -> str:
    rows = "".join(
        f"<tr><td>{_link(exhibit)}</td><td>{escape(exhibit.shows)}</td><td><code>{exhibit.expect}</code></td></tr>\n"
        for exhibit in tour
    )
    return page(
        "The odd corners",
        f"""<h1>The odd corners</h1>
<p class="standfirst">Everything a crawler meets sooner or later, collected in one town.</p>
<table><tr><th>What</th><th>What happens there</th><th>Should end as</th></tr>
{rows}</table>""",
        description="Redirects, traps, copies and broken links, each with what a crawler should make of it",
    )


def _link(exhibit: Exhibit) -> str:
    rel = ' rel="nofollow"' if exhibit.expect is Expect.UNSEEN else ""
    return f'<a{rel} href="{escape(exhibit.path)}">{escape(exhibit.name)}</a>'
