"""The views of the database for tests: their rows, and a source to show in them."""

from typing import Any

from tests.support.make import Operator

SITE = "http://a.test/"


async def rows(operator: Operator, query: str, *arguments: Any) -> list[dict[str, Any]]:
    found = await operator.run(lambda db: db.fetch(query, *arguments))
    return [dict(row) for row in found]


async def new_source(operator: Operator, name: str = "news", **policy: Any) -> int:
    query = (
        "INSERT INTO source (name, kind, mode, url, policy, selectors, template) "
        "VALUES ($1, 'watch', 'both', $2, $3, $4, 'ghost') RETURNING source_id"
    )
    selectors = {"article": {"title": "h1"}}
    source_id: int = await operator.run(lambda db: db.fetchval(query, name, SITE, policy, selectors))
    return source_id
