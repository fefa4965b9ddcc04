"""Read URLs and hosts as users type them, and list the normalisation steps of a URL."""

import re
from dataclasses import dataclass

from outrider.errors import InvalidUrl
from outrider.urls import DEFAULT_RULES, host_of, normalize, registrable_domain, resolve
from outrider.urls.percent import tidy_escapes
from outrider.urls.query import tidy_query

_BARE = re.compile(r"[^\s/:?#@\\]+(?::\d{1,5})?(?:[/?#].*)?")


@dataclass(frozen=True, slots=True)
class Step:
    """One rule that changed a URL, and the URL after it."""

    rule: str
    address: str


def address_of(text: str) -> str:
    """The absolute URL of `text`, in the given spelling; raises InvalidUrl."""
    return _read(text).address


def normalized(text: str) -> tuple[str, bool]:
    """The normalised URL of `text`, and whether its scheme was guessed; raises InvalidUrl."""
    text = text.strip()
    try:
        return normalize(text), False
    except InvalidUrl:
        guess = _guess(text)
        if guess is None:
            raise
        return guess, True


def host_named(text: str) -> str:
    """The normalised host of a name, a name with a port or a URL; raises InvalidUrl."""
    return host_of(normalize(text if "://" in text else f"http://{text}"))


def steps_of(text: str) -> list[Step]:
    """The rules that changed `text` on the way to its normalised URL, in order."""
    steps: list[Step] = []
    read = _read(text)
    address = _note(steps, read.rule, text, read.address)
    address = _note(steps, "percent escapes", address, tidy_escapes(address))
    path, mark, query = address.partition("?")
    if mark:
        tidy = tidy_query(query, DEFAULT_RULES.tracking)
        dropped = [name for name in _names(query) if DEFAULT_RULES.tracking.covers(name)]
        rule = f"tracking parameters dropped: {', '.join(dropped)}" if dropped else "query sorted by name"
        address = _note(steps, rule, address, f"{path}?{tidy}" if tidy else path)
    _note(steps, "closing slash", address, normalize(address))
    return steps


def _read(text: str) -> Step:
    try:
        return Step("URL standard", resolve(text))
    except InvalidUrl:
        return Step("scheme guessed", normalized(text)[0])


def _guess(text: str) -> str | None:
    """The most likely URL of a name without a scheme; None if it is no host name."""
    if not _BARE.fullmatch(text):
        return None
    try:
        host = host_of(url := normalize(f"https://{text}"))
    except InvalidUrl:
        return None
    if registrable_domain(host):
        return url
    is_local = host == "localhost" or re.fullmatch(r"[\d.]+", host)
    return normalize(f"http://{text}") if is_local else None


def _note(steps: list[Step], rule: str, before: str, after: str) -> str:
    if after != before:
        steps.append(Step(rule, after))
    return after


def _names(query: str) -> list[str]:
    return list(dict.fromkeys(piece.partition("=")[0] for piece in query.split("&") if piece))
