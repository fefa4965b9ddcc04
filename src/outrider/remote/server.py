"""The HTTP client of commands: one server, one token."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeVar

from outrider.errors import Misconfigured, Unavailable
from outrider.remote.answers import other_version, read_answer
from outrider.remote.options import RemoteOptions
from outrider.services.from_json import OtherShape, from_json

if TYPE_CHECKING:  # importing aiohttp is slow, and commands on a database of their own do not need it
    import aiohttp

CONNECT_S = 10.0
ANSWER_S = 120.0  # a change of many jobs takes its time
LARGEST_ANSWER = 256 << 20

T = TypeVar("T")
Query = Mapping[str, object]


class Server:
    """Calls the API of one server and reads results back."""

    def __init__(self, url: str, token: str | None, session: "aiohttp.ClientSession") -> None:
        self.url = url
        self._token = token
        self._session = session

    async def get(self, kind: type[T], path: str, query: Query | None = None) -> T:
        """Read a result of this type."""
        return await self.call(kind, "GET", path, query=query)

    async def post(self, kind: type[T], path: str, body: Any = None) -> T:
        """Carry out an action whose result has this type."""
        return await self.call(kind, "POST", path, body)

    async def call(
        self, kind: type[T], method: str, path: str, body: Any = None, query: Query | None = None
    ) -> T:
        """The result of a request; raises the errors of `outrider.errors`."""
        return self.read(kind, await self.send(method, path, body, query))

    def read(self, kind: type[T], value: Any) -> T:
        """A result from its JSON; raises Misconfigured if another version wrote it."""
        try:
            return from_json(kind, value)
        except OtherShape as error:
            raise other_version(self.url) from error

    async def send(self, method: str, path: str, body: Any = None, query: Query | None = None) -> Any:
        """The JSON of the answer, None if it is empty."""
        import aiohttp

        headers = {"Accept": "application/json"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        content = None if body is None else json.dumps(body, ensure_ascii=False).encode()
        if content is not None:
            headers["Content-Type"] = "application/json"
        try:
            async with self._session.request(
                method,
                f"{self.url}{path}",
                params=_texts(query or {}),
                data=content,
                headers=headers,
                allow_redirects=False,
            ) as answer:
                received = await _bounded(answer)
        except TimeoutError as error:
            raise Unavailable(f"the server at {self.url} does not answer: try again later") from error
        except (aiohttp.ClientError, OSError) as error:
            raise Unavailable(f"the server at {self.url} cannot be reached: {_why(error)}") from error
        return read_answer(self.url, answer.status, answer.headers, received, has_token=bool(self._token))


@asynccontextmanager
async def open_server(options: RemoteOptions) -> AsyncIterator[Server]:
    """The server of the settings."""
    import aiohttp

    if options.url is None:
        raise Misconfigured("OUTRIDER_URL is not set")
    token = (options.token or "").strip()
    if not all("!" <= each <= "~" for each in token):
        raise Misconfigured("OUTRIDER_TOKEN has characters that no token has: copy it again")
    timeout = aiohttp.ClientTimeout(total=ANSWER_S, connect=CONNECT_S)
    async with aiohttp.ClientSession(timeout=timeout) as session:
        yield Server(options.url, token or None, session)


async def _bounded(answer: "aiohttp.ClientResponse") -> bytes:
    parts, size = [], 0
    async for part in answer.content.iter_chunked(1 << 16):
        size += len(part)
        if size > LARGEST_ANSWER:
            raise Unavailable(f"the answer of the server is larger than {LARGEST_ANSWER >> 20} MB")
        parts.append(part)
    return b"".join(parts)


def _texts(query: Query) -> dict[str, str]:
    """Parameters as text. None and empty texts are left out."""
    return {name: _text(value) for name, value in query.items() if value is not None and value != ""}


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value.value) if isinstance(value, Enum) else str(value)


def _why(error: Exception) -> str:
    """Why there is no connection, in a few words."""
    cause = getattr(error, "os_error", error)
    told = getattr(cause, "strerror", None) or str(cause) or type(cause).__name__
    return f"{told.rstrip('.')}; check OUTRIDER_URL, and that `outrider serve` runs there"
