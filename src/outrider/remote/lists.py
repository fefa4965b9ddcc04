"""Lists of a server: as many pages as a command asks for, as one list."""

from typing import Any, TypeVar

from outrider.remote.answers import other_version
from outrider.remote.server import Query, Server
from outrider.services.paging import ListPage, PageRequest, TotalIs

PAGE = 250  # items that the API returns at once

T = TypeVar("T")


async def read_list(server: Server, kind: type[T], path: str, query: Query, page: PageRequest) -> ListPage[T]:
    """The items from `page.offset` on, at most `page.limit` of them."""
    items: list[T] = []
    total, total_is = 0, TotalIs.EXACT
    while len(items) < page.limit:
        part = {"limit": min(PAGE, page.limit - len(items)), "offset": page.offset + len(items)}
        answer = await server.send("GET", path, query={**query, **part})
        found = _items(server, answer)
        items += [server.read(kind, each) for each in found]
        total, total_is = server.read(int, answer["total"]), server.read(TotalIs, answer["total_is"])
        if len(found) < part["limit"]:
            break
    return ListPage(items, total, page.limit, page.offset, total_is)


async def read_only_item(server: Server, kind: type[T], path: str, named: str) -> T:
    """The one object of a list that has this name; raises NotFound."""
    found = await read_list(server, kind, path, {"named": named}, PageRequest(1))
    if not found.items:
        raise other_version(server.url)
    return found.items[0]


def _items(server: Server, answer: Any) -> list[Any]:
    if not isinstance(answer, dict) or not isinstance(answer.get("items"), list) or "total_is" not in answer:
        raise other_version(server.url)
    found: list[Any] = answer["items"]
    return found
