"""Request bodies about sources. Their fields are those of the command line and of import files."""

import json
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from outrider.errors import InvalidInput
from outrider.fetch.hops import RedirectPolicy, RedirectScope
from outrider.services.sources.bulk import SourceCommand, SourceSelection, SourceVerb
from outrider.sources.fields import DEFAULT, FIELDS
from outrider.sources.model import Mode, RenderMode
from outrider.sources.policy import External
from outrider.sources.scope import ScopeKind
from outrider.sources.source_changes import ParsedChanges, read_changes
from outrider.web.dependencies import RequestBody

MOST_IDS = 1_000

Url = Annotated[str, Field(min_length=1, max_length=8_000)]
Urls = Annotated[list[Url], Field(max_length=100)]
Words = Annotated[list[Annotated[str, Field(min_length=1, max_length=1_000)]], Field(max_length=100)]
Duration = Annotated[
    float | Annotated[str, Field(max_length=40)],
    Field(description="Seconds, or a duration such as `15m`; null: the default."),
]
Reason = Annotated[str, Field(min_length=1, max_length=500, description="It is shown with the source.")]


class SourceFieldsBody(RequestBody):
    """Fields of a source. A field that is left out stays as it is, and null resets it to its default."""

    name: Annotated[str | None, Field(min_length=1, max_length=200)] = None
    mode: Mode | None = None
    priority: Annotated[int | None, Field(ge=1, le=10)] = None
    feed: Annotated[Urls | None, Field(description="Feeds to add.")] = None
    sitemap: Annotated[Urls | None, Field(description="Sitemaps to add.")] = None
    labels: Words | None = None
    enabled: bool | None = None
    template: Annotated[str | None, Field(max_length=200)] = None
    selectors: dict[str, Any] | None = None
    render_mode: RenderMode | None = None
    identity_key: Annotated[str | None, Field(max_length=200)] = None
    allow_source_discovery: bool | None = None
    delay: Duration | None = None
    depth: Annotated[int | None, Field(ge=-1, le=100)] = None
    poll: Duration | None = None
    sitemap_poll: Duration | None = None
    recrawl: Duration | None = None
    article_pattern: Words | None = None
    include: Words | None = None
    exclude: Words | None = None
    scope: ScopeKind | None = None
    allow_domain: Words | None = None
    bar_domain: Words | None = None
    external: External | None = None
    keep_slash: bool | None = None
    tracking_keep: Words | None = None
    tracking_add: Words | None = None
    redirects: RedirectPolicy | None = None
    redirect_scope: RedirectScope | None = None
    backfill: bool | None = None
    spider_without_feed: bool | None = None

    def changes(self) -> ParsedChanges:
        """The changes, with a sentence for each value that cannot be used."""
        given = {name: getattr(self, name) for name in self.model_fields_set if name in FIELDS}
        return read_changes({name: _text(name, value) for name, value in given.items()})


class NewSourceBody(SourceFieldsBody):
    """A source to watch."""

    url: Annotated[Url, Field(description="The site; `example.com` is enough.")]
    force: Annotated[bool, Field(description="Watch the address even if a source has it already.")] = False
    search_notes: Annotated[
        list[Annotated[str, Field(max_length=1_000)]] | None,
        Field(max_length=100, description="Notes of a search of the site just now: workers search no more."),
    ] = None
    dry_run: Annotated[bool, Field(description="Say what would be added, and add nothing.")] = False


class SourceChangeBody(SourceFieldsBody):
    """What changes about a source."""

    url: Url | None = None

    def changes(self) -> ParsedChanges:
        if not self.model_fields_set:
            raise InvalidInput("say what changes: name at least one field")
        return SourceFieldsBody.changes(self)


class DisableBody(RequestBody):
    """Why something is disabled."""

    reason: Reason


class SourceBulkBody(RequestBody):
    """Which sources change, and how: by their ids, or all that match."""

    verb: SourceVerb
    ids: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=500)]],
        Field(max_length=MOST_IDS, description="Numbers or ids of sources."),
    ] = []  # noqa: RUF012 (pydantic copies it)
    label: Annotated[str | None, Field(min_length=1, max_length=200)] = None
    search: Annotated[str, Field(max_length=500, description="Text in name, address or label.")] = ""
    all: Annotated[bool, Field(description="Every source.")] = False
    reason: Annotated[str, Field(max_length=500, description="Why they are disabled.")] = ""
    add_labels: Words = []  # noqa: RUF012
    remove_labels: Words = []  # noqa: RUF012
    dry_run: Annotated[bool, Field(description="Say what would happen, and change nothing.")] = False

    @model_validator(mode="after")
    def _is_clear(self) -> Self:
        if sum((bool(self.ids), bool(self.label is not None or self.search), self.all)) != 1:
            raise ValueError("select sources in one way: by ids, by label and search, or all")
        if (self.verb is SourceVerb.DISABLE) != bool(self.reason.strip()):
            raise ValueError("the verb disable needs a reason, and no other verb takes one")
        if (self.verb is SourceVerb.LABEL) != bool(self.add_labels or self.remove_labels):
            raise ValueError("the verb label needs add_labels or remove_labels, and no other verb takes them")
        return self

    @property
    def selection(self) -> SourceSelection:
        """The sources that it names."""
        return SourceSelection(self.ids, self.label, self.search)

    @property
    def command(self) -> SourceCommand:
        """What is done to them; raises InvalidInput for a label that cannot be used."""
        added = read_changes({"labels": self.add_labels}).checked().labels or ()
        return SourceCommand(self.verb, self.reason, added, self.remove_labels)


def _text(name: str, value: Any) -> str | Sequence[str]:
    """A value as the text that `read_changes` takes."""
    field = FIELDS[name]
    if value is None or value == []:
        if field.policy is None and field.cleared is None:
            raise InvalidInput(f"{name} has no default: leave it out, or give a value")
        return DEFAULT
    match value:
        case bool():
            return "yes" if value else "no"
        case StrEnum():
            return value.value
        case dict():
            return json.dumps(value, ensure_ascii=False)
        case list():
            return [str(each) for each in value]
        case float():
            return f"{value:f}"
        case _:
            return str(value)
