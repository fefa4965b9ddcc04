"""Request bodies of `/api/v1/frontier`."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from outrider.frontier.model import UrlOrigin
from outrider.services.urls.changes import MOST_SUBMITTED, SubmitRequest
from outrider.web.api.v1.parameters import LONGEST_HOST, LONGEST_URL, HostName
from outrider.web.dependencies import RequestBody

Url = Annotated[str, Field(min_length=1, max_length=LONGEST_URL)]
Urls = Annotated[list[Url], Field(min_length=1, max_length=MOST_SUBMITTED)]
Source = Annotated[str | None, Field(max_length=200, description="The id or the name of a source.")]


class _Submission(RequestBody):
    source_id: Source = None
    origin: UrlOrigin = UrlOrigin.MANUAL
    priority: Annotated[int, Field(ge=1, le=10)] = 5

    def request(self, urls: list[str]) -> SubmitRequest:
        return SubmitRequest(urls, self.source_id, self.origin, self.priority)


class UrlToSubmit(_Submission):
    """One URL. Without a source it belongs to the source of its host."""

    url: Url


class UrlsToSubmit(_Submission):
    """Many URLs of one source."""

    urls: Urls


class UrlsToAdd(_Submission):
    """One URL or a list, as earlier crawlers take them."""

    url: Url | None = None
    urls: Urls | None = None

    @model_validator(mode="after")
    def _has_urls(self) -> Self:
        if (self.url is None) == (self.urls is None):
            raise ValueError("give either url or urls")
        return self

    def all(self) -> list[str]:
        return [self.url] if self.url is not None else self.urls or []


class UrlsToSeed(RequestBody):
    """Start URLs. Without a source they belong to the source of their host."""

    urls: Annotated[list[Url], Field(min_length=1, max_length=1_000)]
    source_id: Source = None


class RetryFilter(RequestBody):
    """Which dead URLs to retry: at least one of the filters."""

    last_error: Annotated[
        str | None, Field(min_length=1, max_length=200, description="The reason, such as `not_found`.")
    ] = None
    host: Annotated[HostName | None, Field(max_length=LONGEST_HOST)] = None
    source_id: Source = None
    dry_run: bool = False
