"""Traps that the URL alone reveals: shapes that are refused, and the template of a URL.

Relative links resolved against the wrong folder grow paths like `/a/b/a/b/a/b`, filter forms grow
endless queries, and session ids give every visitor different addresses. Traps whose URLs look normal,
such as calendars, are recognised by what their template yields: see `templates.py`.
"""

import re
from dataclasses import dataclass, field

from outrider.options import setting
from outrider.urls import path_of

_RUN = 4  # repeats of one folder in a row: /x/x/x/x
_ROUNDS = 3  # repeats of one sequence of folders in a row: /a/b/a/b/a/b
_SCATTERED = 5  # repeats of one folder anywhere in the path
_FEWEST_REPEATS = min(_RUN - 1, 2 * (_ROUNDS - 1), _SCATTERED - 1)

_SESSION = re.compile(
    r";(?:jsessionid|sid|phpsessid)=|/\(S\([a-z0-9]{16,}\)\)/"
    r"|[?&](?:jsessionid|phpsessid|aspsessionid\w*|session_?id)=\w{8,}"
    r"|[?&]sid=[a-z0-9]{20,}",
    re.IGNORECASE,
)

DATE, NUMBER, IDENTIFIER, SLUG, VALUE = "{date}", "{n}", "{id}", "{slug}", "{v}"

# A year alone may be the number of a page: /p/1999 lies between /p/1998 and /p/2000.
_PATH_DATE = re.compile(
    r"/(?:19|20)\d\d([/-])(?:0?[1-9]|1[0-2])(?:\1(?:0?[1-9]|[12]\d|3[01]))?(?=[/.]|\Z)"
    r"|/(?:19|20)\d\d[01]\d[0-3]\d(?=[/.]|\Z)"
)
_DATE_NAME = re.compile(r"(?:.*[_-])?(?:date|year|month|week|day)\Z", re.IGNORECASE)
_DATE_VALUE = re.compile(r"(?:19|20)\d\d-?[01]\d(?:-?[0-3]\d)?(?:T.*)?\Z")
_IDENTIFIER = re.compile(
    r"(?=[^a-f]*[a-f])(?:[0-9a-f]{8,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\Z", re.IGNORECASE
)
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class TrapOptions:
    """Where the defence against endless sites begins."""

    most_folders: int = field(
        default=20,
        metadata=setting("OUTRIDER_MAX_FOLDERS", "Most segments of a URL's path.", least=1, most=100),
    )
    most_parameters: int = field(
        default=16,
        metadata=setting("OUTRIDER_MAX_PARAMETERS", "Most parameters of a URL's query.", least=0, most=500),
    )
    longest_query: int = field(
        default=1_000,
        metadata=setting("OUTRIDER_MAX_QUERY", "Most characters of a URL's query.", least=0, most=100_000),
    )
    patience: int = field(
        default=20,
        metadata=setting(
            "OUTRIDER_TRAP_PATIENCE",
            "Pages of one template in a row that may bring nothing new before it loses its turn.",
            least=1,
            most=100_000,
        ),
    )


DEFAULT_TRAPS = TrapOptions()


def is_trap_shape(url: str, options: TrapOptions = DEFAULT_TRAPS) -> str | None:
    """Why a normalised URL looks endless, as a message; None when it does not."""
    path, _, query = path_of(url).partition("?")
    if query:
        if len(query) > options.longest_query:
            return f"query of {len(query)} characters"
        parameters = query.count("&") + 1
        if parameters > options.most_parameters:
            return f"{parameters} query parameters"
    depth = path.count("/")
    if depth > options.most_folders:
        return f"path of {depth} segments"
    if depth > _FEWEST_REPEATS and (repeated := _repetition(path.split("/")[1:])):
        return f"path repeats {repeated}"
    if (query or ";" in path or "/(" in path) and _SESSION.search(url):
        return "session id in the address"
    return None


def template_of(url: str) -> str | None:
    """A normalised URL with its variable parts masked; None when it has none."""
    root = url.index("/", 8)
    path, mark, query = url[root:].partition("?")
    if not mark and not _DIGITS.search(path):
        return None
    masked = url[:root] + _mask_path(path) + (f"?{_mask_query(query)}" if mark else "")
    return masked if masked != url else None


def _repetition(folders: list[str]) -> str | None:
    """The repeated folders of a path. Repeated numbers are legitimate: /0/0/0/0 is a map tile."""
    if len(folders) - len(set(folders)) < _FEWEST_REPEATS:
        return None
    for length in range(1, len(folders) // _ROUNDS + 1):
        rounds = _RUN if length == 1 else _ROUNDS
        for start in range(len(folders) - length * rounds + 1):
            block = folders[start : start + length]
            if folders[start : start + length * rounds] == block * rounds and not _all_numbers(block):
                return "/" + "/".join(block)
    for folder in set(folders):
        if folders.count(folder) >= _SCATTERED and not _all_numbers([folder]):
            return f"/{folder}"
    return None


def _all_numbers(folders: list[str]) -> bool:
    return all(folder.isdigit() or not folder for folder in folders)


def _mask_path(path: str) -> str:
    if "/19" in path or "/20" in path:  # cheaper than the pattern, which few paths match
        dated = _PATH_DATE.sub("/" + DATE, path)
        if dated != path:
            return _mask_dated_path(dated)
    # Most segments are words or empty, and stay as they are.
    segments = path.split("/")
    return "/".join(
        [segment if segment.isalpha() or not segment else _mask_segment(segment) for segment in segments]
    )


def _mask_dated_path(path: str) -> str:
    behind_date = False
    masked = []
    for segment in path.split("/"):
        masked.append(_mask_segment(segment, behind_date))
        behind_date = behind_date or segment.startswith(DATE)
    return "/".join(masked)


def _mask_segment(segment: str, behind_date: bool = False) -> str:
    if segment.isdigit():
        return NUMBER
    hyphens = segment.count("-") + segment.count("_")
    if behind_date and hyphens:
        return SLUG  # every article has a different name; they share one template
    if not _DIGITS.search(segment):
        return segment
    if _IDENTIFIER.match(segment):
        return IDENTIFIER
    return SLUG if hyphens >= 3 else _DIGITS.sub(NUMBER, segment)


def _mask_query(query: str) -> str:
    return "&".join(_mask_parameter(*parameter.partition("=")) for parameter in query.split("&"))


def _mask_parameter(name: str, equals: str, value: str) -> str:
    if not equals:
        return name
    return f"{name}={DATE if _DATE_NAME.match(name) or _DATE_VALUE.match(value) else VALUE}"
