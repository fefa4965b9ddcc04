"""One option for each field of a source, shared by the commands that set fields."""

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from outrider.errors import InvalidInput
from outrider.sources.fields import FIELDS
from outrider.sources.values import LONGEST_JSON

AUTO = "auto"  # selectors are to be proposed
FieldValues = Mapping[str, str | list[str] | None]

# Name of the field → (placeholder, help). `default` resets a field that has a default.
_HELP = {
    "name": ("NAME", "Its name. [default: the title of the site]"),
    "mode": ("feed|spider|both", "How its pages are found. [default: feed, if there is one]"),
    "feed": ("URL", "A feed of the site; may be repeated."),
    "sitemap": ("URL", "A sitemap of the site; may be repeated."),
    "labels": ("TEXT", "Labels for searches: `news, berlin`."),
    "priority": ("1-10", "Its priority; also low, medium, high. [default: 5]"),
    "delay": ("TIME", "Pause between requests: 10s, 1m, 5. [default: 1s]"),
    "depth": ("N", "How far links are followed; -1: to the cap. [default: 3]"),
    "poll": ("TIME", "First poll interval of its feeds. [default: 15m]"),
    "sitemap_poll": ("TIME", "First poll interval of its sitemaps. [default: 6h]"),
    "recrawl": ("TIME", "Fetch its pages again after this long. [default: never]"),
    "article_pattern": ("RE", "Pattern of article URLs; may be repeated."),
    "include": ("RE", "Only URLs that match one of these."),
    "exclude": ("RE", "No URL that matches one of these."),
    "scope": ("host|domain|prefix|any", "Which URLs belong to it. [default: host]"),
    "allow_domain": ("DOMAIN", "Also this domain; `*.example.com`: all below it. May be repeated."),
    "bar_domain": ("DOMAIN", "Not this domain; may be repeated."),
    "external": ("ignore|record|frontier", "What happens to links to other sites. [default: record]"),
    "keep_slash": ("yes|no", "Treat /a and /a/ as different URLs. [default: no]"),
    "tracking_keep": ("NAMES", "Query parameters to keep."),
    "tracking_add": ("NAMES", "Query parameters to drop."),
    "redirects": ("canonicalise|dead_and_submit", "What happens to a URL that redirects."),
    "redirect_scope": ("any|same_domain", "How far redirects of its pages are followed. [default: any]"),
    "backfill": ("yes|no", "Read whole sitemaps at first, not only recent entries. [default: no]"),
    "spider_without_feed": ("yes|no", "Follow links when no feed or sitemap is found. [default: no]"),
    "selectors": ("FILE|auto", "CSS selectors, as a JSON file; auto: derived from one article."),
    "render_mode": (
        "static|dynamic",
        "dynamic: pages after their scripts, if there is a renderer. [default: static]",
    ),
    "identity_key": ("KEY", "Its key in another system; imports match sources by this key."),
    "allow_source_discovery": ("yes|no", "Record links to other sites, for new sources. [default: yes]"),
    "template": ("NAME", "The kind of site it is, such as wordpress."),
}
_FLAG = {"labels": "--label"}
_BY_NAME = inspect.Parameter.KEYWORD_ONLY


def with_fields(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command an option for each field; what was given arrives as its parameter `said`."""
    options = [_option(name, metavar, line) for name, (metavar, line) in _HELP.items()]
    own = inspect.signature(command).parameters.values()

    @wraps(command)
    def run(**given: Any) -> None:
        said = {name: given.pop(name) for name in _HELP}
        if said["selectors"]:
            said["selectors"] = selectors_in(said["selectors"])
        command(**given, said=said)

    before = [each.replace(kind=_BY_NAME) for each in own if each.name != "said"]
    first = [each for each in before if each.default is inspect.Parameter.empty]
    parameters = [*first, *options, *(each for each in before if each not in first)]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters} | {"return": None}
    return run


def _option(name: str, metavar: str, line: str) -> inspect.Parameter:
    flags = (_FLAG[name],) if name in _FLAG else ()
    option = typer.Option(*flags, metavar=metavar, help=line, show_default=False)
    kind: Any = list[str] | None if FIELDS[name].between else str | None
    return inspect.Parameter(name, _BY_NAME, default=None, annotation=Annotated[kind, option])


def selectors_in(path: str) -> str:
    """The text of a selectors file; `default` and `auto` are returned unchanged."""
    if path in ("default", AUTO):
        return path
    try:
        with Path(path).open(encoding="utf-8") as file:
            return file.read(LONGEST_JSON + 1)
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{path} is not a text file in UTF-8") from error
