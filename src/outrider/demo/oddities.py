"""Pages with unusual content: copies, other charsets, files that are not pages."""

from outrider.demo.layout import bare, page
from outrider.demo.pages import article_body
from outrider.demo.stories import story_at

COPIED = "/river/ferry-returns"

# The changes of the wire copy: original text, changed text.
_WIRE_EDITS = (
    ("with forty passengers", "with some forty passengers"),
    ("on Friday morning", "yesterday morning"),
    ("one crown twenty", "1.20 crowns"),
)

HUGE_BYTES = 11 * 1024 * 1024
HUGE_CHUNK = (
    b"<p>And then the river rose again, as it had the year before, and everybody moved the chairs.</p>\n"
    * 680
)


def print_version() -> str:
    """The story as it is, without the frame."""
    story = story_at(COPIED)
    return bare(story.title, f"<main>{article_body(story)}</main>")


def wire_version() -> str:
    """The story as another paper ran it, a few words changed."""
    story = story_at(COPIED)
    body = article_body(story)
    for ours, theirs in _WIRE_EDITS:
        body = body.replace(ours, theirs)
    return bare(story.title, f"<main>{body}</main>")


def windows_1252() -> bytes:
    """A page without a declared charset; browsers and crawlers have to guess it."""
    text = """<main><h1>Café Müller reopens on the quay</h1>
<p>The café that closed in the flood has reopened with its zinc counter, its façade and, says the owner, the
same crème brûlée. “We kept the recipe dry,” said Zoë Müller, “and very little else.”</p>
<p>The menu is in French again: pâté de campagne, soupe à l’oignon, bœuf à la bière, gâteau aux pêches, thé à
la menthe. A coffee costs €2 or £1.70. The piano came by ferry and is déjà out of tune.</p></main>"""
    return bare("Café Müller reopens", text, head="").encode("windows-1252")


def shift_jis() -> bytes:
    """A page whose charset is declared in a meta element only, as on many old pages."""
    text = """<main><h1>函館からの手紙</h1>
<p>姉妹都市の函館から、今年も春の便りが届きました。港の市場では朝早くから烏賊が並び、路面電車は桜の下をゆっくり走っているそうです。</p>
<p>「川の町の皆さん、次の夏はぜひ船で来てください」と市長は書いています。手紙は図書館の閲覧室に展示されています。</p></main>"""
    head = '<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">'
    return bare("函館からの手紙", text, head=head).encode("shift_jis")


def noindex() -> str:
    return page(
        "Staff rota",
        """<article class="reading"><h1>Staff rota</h1>
<p>Ines has the ferry, Goran the sheep, Tomasz the night shift and Beatrix the court. Saoirse is in the
foundry until the dog gets up. Please do not put this page in any index: it is wrong by noon.</p>
</article>""",
        head='<meta name="robots" content="noindex">\n',
    )


def print_shop(newspaper: str) -> str:
    """The only page of the second host."""
    return bare(
        "The print shop",
        f"""<main><h1>The print shop</h1>
<p>This is another host, with a robots.txt and a pace of its own. It prints cards, labels and, twice a year,
the tide tables. The newspaper is <a href="{newspaper}/">across the river</a>.</p></main>""",
    )


def plain(title: str, text: str) -> str:
    """A short page with a title and one paragraph."""
    return page(title, f'<article class="reading"><h1>{title}</h1><p>{text}</p></article>')


def tide_tables() -> bytes:
    """A PDF of one empty page: small, valid, and not HTML."""
    objects = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>",
    )
    document, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(document))
        document += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size, start = len(objects) + 1, len(document)
    return document + (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
        % (size, table, size, start)
    )
