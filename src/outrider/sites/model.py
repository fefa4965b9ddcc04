"""The words of owned sites."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from outrider.errors import InvalidInput
from outrider.sites.paths import LONGEST_PATH, PathRules

MOST_ENTRIES = 100  # of a list in the settings


class DeleteFallback(StrEnum):
    """What visitors of a deleted page get if it has no parent."""

    ROOT = "root"  # the home page
    GONE = "gone"  # 410
    NONE = "none"  # the 404 of the application


class PathKind(StrEnum):
    """What a live path is."""

    ITEM = "item"
    COLLECTION = "collection"
    STATIC = "static"


@dataclass(frozen=True, slots=True)
class SiteSettings:
    """What the owner of a site decides."""

    lowercase_paths: bool = True
    strip_trailing_slash: bool = True
    exempt_prefixes: tuple[str, ...] = ()
    delete_fallback: DeleteFallback = DeleteFallback.ROOT
    confidence_threshold: float = 0.6
    confidence_margin: float = 0.1
    prune_days: int = 90
    path_patterns: tuple[str, ...] = ("/*",)  # which broken URLs may be resolved without a person
    bot_words: tuple[str, ...] = ()  # of User-Agents, besides those that are known
    more_status_codes: bool = False  # also 303, 307 and 308
    crawl_links: bool = False  # register the links that the crawler finds in the pages of the site

    @property
    def rules(self) -> PathRules:
        """Which spellings of a path are the same."""
        return PathRules(self.lowercase_paths, self.strip_trailing_slash, self.exempt_prefixes)

    def changed(self, changes: Mapping[str, Any]) -> "SiteSettings":
        """The settings with other values; raises InvalidInput for an unknown name or a wrong value."""
        names = [each.name for each in fields(self)]
        for name in changes:
            if name not in names:
                raise InvalidInput(f"there is no setting {name[:200]!r} of a site, only {', '.join(names)}")
        read = {name: _read(name, value, getattr(self, name)) for name, value in changes.items()}
        return replace(self, **read)._checked()

    def as_stored(self) -> dict[str, Any]:
        """The values for JSON."""
        return asdict(self)

    def _checked(self) -> "SiteSettings":
        for name in ("confidence_threshold", "confidence_margin"):
            if not 0 <= getattr(self, name) <= 1:
                raise InvalidInput(f"{name} is a number from 0 to 1, not {getattr(self, name)}")
        if not 1 <= self.prune_days <= 36_500:
            raise InvalidInput(f"prune_days is a number from 1 to 36500, not {self.prune_days}")
        for name in ("exempt_prefixes", "path_patterns"):
            for path in getattr(self, name):
                if not path.startswith("/"):
                    raise InvalidInput(f"{name} are paths that begin with /, not {path!r}")
        return self


def _read(name: str, value: Any, now: Any) -> Any:
    """A value of the same kind as the present one."""
    match now:
        case bool() if isinstance(value, bool):
            return value
        case DeleteFallback() if value in list(DeleteFallback):
            return DeleteFallback(value)
        case DeleteFallback():
            raise InvalidInput(f"{name} is one of {', '.join(DeleteFallback)}, not {str(value)[:200]!r}")
        case tuple() if isinstance(value, Sequence) and not isinstance(value, str) and _are_texts(value):
            return tuple(value)
        case float() if isinstance(value, int | float) and not isinstance(value, bool):
            return float(value)
        case int() if not isinstance(now, bool) and isinstance(value, int) and not isinstance(value, bool):
            return value
    kind = {bool: "true or false", tuple: f"a list of at most {MOST_ENTRIES} short texts"}.get(
        type(now), "a number"
    )
    raise InvalidInput(f"{name} is {kind}, not {str(value)[:200]!r}")


def _are_texts(values: Sequence[Any]) -> bool:
    return len(values) <= MOST_ENTRIES and all(
        isinstance(each, str) and 0 < len(each) <= LONGEST_PATH and "\x00" not in each for each in values
    )


@dataclass(frozen=True, slots=True)
class OwnedSite:
    """A site that its owner registered."""

    site_id: int
    name: str
    base_url: str  # without a slash at the end
    hosts: Sequence[str]
    settings: SiteSettings
    has_key: bool
    update_webhook: str | None  # where replacements of links are sent
    has_webhook_secret: bool
    created_at: datetime
    updated_at: datetime

    def json_form(self) -> dict[str, Any]:
        return {"id": self.site_id, **{each.name: getattr(self, each.name) for each in fields(self)}}


@dataclass(frozen=True, slots=True)
class LivePath:
    """A path of the inventory. It is live unless it is hidden."""

    path: str  # in stored form
    kind: PathKind = PathKind.ITEM
    title: str = ""
    parent: str | None = None  # in stored form
    is_visible: bool = True
    status: str = ""  # a word of the CMS, such as `published`
