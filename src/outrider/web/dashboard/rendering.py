"""Renders pages. Everything is escaped; the address of a crawled page is a link only if it is http(s)."""

import gzip
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import jinja2
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import HTMLResponse

from outrider import __version__
from outrider.auth.model import ANONYMOUS, Principal, Role
from outrider.events.catalogue import EventKind
from outrider.services.urls.keys import write_key
from outrider.web.assets import address_of
from outrider.web.dashboard.navigation import sections_for
from outrider.wording import brief, count, plural, rate, short, size, span, words

TEMPLATES = Path(__file__).parent / "templates"
LONGEST_TEXT = 2_000
THEME_COOKIE = "outrider_theme"
FLASH_COOKIE = "outrider_notice"
THEMES = ("light", "dark")
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC) \(([^)]*)\)")  # as wording.when writes it
_COMMAND = re.compile(r"`([^`]+)`")
SMALL = 1_000  # bytes of a page that is sent as it is
COMPRESSION = 4  # of 9: more takes longer and saves little


@cache
def environment() -> jinja2.Environment:
    """The templates with their filters. A name that a page does not give is an error, not an empty text."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters.update(
        count=count,
        short=short,
        size=size,
        rate=rate,
        span=span,
        brief=brief,
        words=words,
        figure=figure,
        key=write_key,
        ago=ago,
        moments=moments,
        told=told,
        commands=commands,
        cut=cut,
        href=href,
    )
    made.globals.update(
        plural=plural,
        asset=address_of,
        version=__version__,
        event_kinds=" ".join(each.event_type for each in EventKind),
    )
    return made


def render(
    request: Request,
    template: str,
    page: Any,
    *,
    title: str,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    is_whole: bool = True,
) -> HTMLResponse:
    """A page. `page` is the dataclass with all that the template may use.

    A page that is not whole is not compressed: it is sent piece by piece.
    """
    principal: Principal = getattr(request.state, "principal", ANONYMOUS)
    root = request.scope.get("root_path", "")
    notice = request.cookies.get(FLASH_COOKIE)
    badges: Mapping[str, int] = getattr(request.state, "badges", {})
    text = (
        environment()
        .get_template(template)
        .render(
            page=page,
            title=title,
            principal=principal,
            is_admin=principal.role is Role.ADMIN and not principal.read_only,
            sections=sections_for(principal, request.url.path.removeprefix(root), badges),
            badges=badges,
            theme=theme_of(request),
            link=partial(_link, root),
            here=partial(_here, request),
            csrf_token=getattr(request.state, "csrf_token", ""),
            position=getattr(request.state, "position", ""),
            notice=read_notice(notice),
            now=datetime.now(UTC),
        )
    )
    whole = HTMLResponse(text, status, headers)
    response = packed(request, whole) if is_whole else whole
    if notice:
        response.delete_cookie(FLASH_COOKIE, path=root or "/")
    return response


def render_part(request: Request, template: str, **values: Any) -> HTMLResponse:
    """A fragment of a page, for updates in place."""
    return packed(request, HTMLResponse(part_text(request, template, **values)))


def part_text(request: Request, template: str, **values: Any) -> str:
    """The text of a fragment, also for pages that are sent piece by piece."""
    principal: Principal = getattr(request.state, "principal", ANONYMOUS)
    root = request.scope.get("root_path", "")
    return (
        environment()
        .get_template(template)
        .render(
            principal=principal,
            is_admin=principal.role is Role.ADMIN and not principal.read_only,
            link=partial(_link, root),
            here=partial(_here, request),
            csrf_token=getattr(request.state, "csrf_token", ""),
            now=datetime.now(UTC),
            **values,
        )
    )


def packed(request: Request, response: HTMLResponse) -> HTMLResponse:
    """The same page, compressed if the browser takes that and the page is not small."""
    response.headers["Vary"] = "Accept-Encoding"
    if "gzip" in request.headers.get("accept-encoding", "") and len(response.body) > SMALL:
        response.body = gzip.compress(response.body, COMPRESSION, mtime=0)
        response.headers["Content-Encoding"] = "gzip"
        response.headers["Content-Length"] = str(len(response.body))
    return response


def theme_of(request: Request) -> str:
    """The theme that the reader chose; empty: the one of the system."""
    chosen = request.cookies.get(THEME_COOKIE, "")
    return chosen if chosen in THEMES else ""


def ago(at: datetime | None, now: datetime | None = None) -> Markup:
    """A time relative to now, with the exact one for those who point at it."""
    if at is None:
        return Markup('<span class="text-secondary">never</span>')
    seconds = ((now or datetime.now(UTC)) - at).total_seconds()
    if abs(seconds) < 1:
        told = "just now"
    else:
        told = f"{span(seconds)} ago" if seconds > 0 else f"in {span(-seconds)}"
    exact = at.astimezone(UTC)
    return Markup('<time datetime="{}" title="{}">{}</time>').format(
        exact.isoformat(), f"{exact:%Y-%m-%d %H:%M:%S} UTC", told
    )


def moments(text: str) -> Markup:
    """A sentence of ours in which exact times are shown only to those who point at them."""
    return Markup(_MOMENT.sub(r'<time title="\1">\2</time>', str(escape(text))))


def told(message: object, most: int = 600) -> Markup:
    """A message of ours as a sentence of its own."""
    text = cut(message, most)
    whole = text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!", "…")) else ".")
    return commands(whole)


def commands(message: str) -> Markup:
    """A message of ours in which commands between backticks are set as code."""
    return Markup(_COMMAND.sub(r"<code>\1</code>", str(escape(message))))


def figure(value: float) -> str:
    """A number of a chart: whole, or with two digits after the point."""
    return f"{value:.0f}" if value == int(value) else f"{value:.2f}"


def cut(text: object, most: int = 120) -> str:
    """A text of bounded length, without characters that change the direction or the line of what follows."""
    clean = "".join(each if each.isprintable() else "�" for each in str(text)[: max(most, 1) + 1])
    return clean if len(clean) <= most else clean[: most - 1] + "…"


def href(address: str) -> str | None:
    """The address of a crawled page if it may be a link, else None."""
    return address if address.lower().startswith(("http://", "https://")) else None


def read_notice(cookie: str | None) -> tuple[str, str] | None:
    """The kind and the sentence that the last action left; None if there is none."""
    kind, _, sentence = (cookie or "").partition(":")
    return (kind, sentence[:LONGEST_TEXT]) if kind in ("success", "danger") and sentence else None


def _link(root: str, path: str, /, **query: Any) -> str:
    """The address of one of our pages; empty values are left out."""
    given = {name: value for name, value in query.items() if value not in (None, "", False)}
    return f"{root}{quote(path, safe='/:@')}" + (f"?{urlencode(given, doseq=True)}" if given else "")


def _here(request: Request, /, **changes: Any) -> str:
    """The address of this page with some parameters changed; the page of a list starts anew."""
    kept = {name: value for name, value in request.query_params.items() if name not in ("after", "offset")}
    root = request.scope.get("root_path", "")
    return _link(root, request.url.path.removeprefix(root), **{**kept, **changes})
