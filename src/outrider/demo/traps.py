"""Endless pages: each links to further pages of its kind and never to anything new."""

from calendar import Calendar
from datetime import date
from html import escape
from itertools import cycle, islice
from urllib.parse import urlencode

from outrider.demo.layout import page

_LAST_YEAR = 9998  # the month after it must still be a date

FACETS = {
    "colour": ("any", "red", "ochre", "green", "blue", "black"),
    "size": ("any", "small", "medium", "large"),
    "sort": ("newest", "oldest", "cheapest", "dearest"),
    "view": ("list", "grid", "pictures"),
}
_WARES = (
    "Oilskin coat, worn twice, both times on the ferry",
    "Rope ladder, eleven rungs, one of them a replacement",
    "Set of hedge maps, second edition, folded by an expert",
    "Scythe with ash handle, sharpened, sold with or without a lesson",
    "Brass lamp from platform two, very bright",
    "Paper boat, varnished, technically a door",
)


def month_in(text: str) -> date | None:
    """`2031-05` as the first of that month; None when it is not a month that can be shown."""
    year, _, month = text.partition("-")
    if len(text) != 7 or not (year + month).isascii() or not (year + month).isdigit():
        return None
    try:
        first = date(int(year), int(month), 1)
    except ValueError:
        return None
    return first if 1 < first.year <= _LAST_YEAR else None


def calendar(month: date) -> str:
    """A month without events, with links to the previous and the next month."""
    weeks = "".join(
        "<tr>" + "".join(f"<td>{day or ''}</td>" for day in week) + "</tr>"
        for week in Calendar().monthdayscalendar(month.year, month.month)
    )
    days = "".join(f"<th>{name}</th>" for name in ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"))
    before = date(month.year - (month.month == 1), (month.month - 2) % 12 + 1, 1)
    after = date(month.year + (month.month == 12), month.month % 12 + 1, 1)
    return page(
        f"Calendar for {month:%B} {month.year}",
        f"""<article class="reading"><h1>{month:%B} {month.year}</h1>
<p class="standfirst">Nothing is planned yet. The committee meets when there is something to decide.</p>
<table class="month"><tr>{days}</tr>{weeks}</table>
<p class="pager"><a href="/calendar?month={_month(before)}">← Earlier</a>
<a href="/calendar?month={_month(after)}">Later →</a></p></article>""",
    )


def market(chosen: dict[str, str]) -> str:
    """The same six items for every filter and sort order."""
    picked = {facet: chosen.get(facet, values[0]) for facet, values in FACETS.items()}
    chips = "".join(
        f'<p class="kicker">{facet}</p><div class="chips">'
        + "".join(
            f'<a href="/market?{escape(urlencode(picked | {facet: value}))}">{value}</a>' for value in values
        )
        + "</div>"
        for facet, values in FACETS.items()
    )
    start = FACETS["sort"].index(picked["sort"]) if picked["sort"] in FACETS["sort"] else 0
    wares = "".join(f"<li>{ware}</li>" for ware in islice(cycle(_WARES), start, start + len(_WARES)))
    return page("Market", f'<article class="reading"><h1>Market</h1>{chips}<ul>{wares}</ul></article>')


def maps() -> str:
    """A page whose links lack the leading slash, so that each link leads one folder deeper."""
    links = "".join(
        f'<li><a href="maps/{name}">The {name} sheet</a></li>' for name in ("northern", "southern")
    )
    return page(
        "Maps",
        f"""<article class="reading"><h1>Maps of the valley</h1>
<p class="standfirst">Both sheets, hedge by hedge. The links were written by hand, late in the evening.</p>
<ul>{links}</ul></article>""",
    )


def _month(first: date) -> str:
    return f"{first.year:04}-{first.month:02}"
