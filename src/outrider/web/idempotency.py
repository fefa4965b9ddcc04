"""`Idempotency-Key`: a POST that is repeated with the same key is carried out once.

The key is reserved in the transaction of the change, so both commit or neither does. A change that commits
item by item reserves it before: a repeat during the first request is refused, not carried out twice.
"""

from dataclasses import dataclass
from hashlib import sha256

import asyncpg
from starlette.requests import Request
from starlette.responses import Response

from outrider.auth.model import Principal
from outrider.db.queries import Queries
from outrider.errors import Conflict, InvalidInput

HEADER = "idempotency-key"
KEPT_S = 24 * 3600.0
LONGEST_KEY = 255
LARGEST_ANSWER = 256 << 10


@dataclass(frozen=True, slots=True)
class IdempotencyKey:
    """The key of one request."""

    key_hash: bytes
    request_hash: bytes


async def key_of(request: Request, principal: Principal) -> IdempotencyKey | None:
    """The key of a request; None if it has none. Raises InvalidInput for one that cannot be used."""
    given = request.headers.get(HEADER)
    if given is None or request.method != "POST":
        return None
    if not 1 <= len(given) <= LONGEST_KEY or not all("!" <= each <= "~" for each in given):
        raise InvalidInput(f"an Idempotency-Key has 1 to {LONGEST_KEY} visible ASCII characters")
    caller = f"{principal.user_id}:{principal.site_id}:{principal.role}"
    named = "\n".join((caller, request.url.path, given))
    asked = request.url.query.encode() + b"\n" + await request.body()
    return IdempotencyKey(sha256(named.encode()).digest(), sha256(asked).digest())


class IdempotentAnswers:
    """The answers that are kept. Each method takes the connection of the request."""

    def __init__(self) -> None:
        self._sql = Queries.load("outrider.web")

    async def reserve(self, db: asyncpg.Connection, key: IdempotencyKey) -> Response | None:
        """Reserve the key, or return the answer of the request that had it.

        Raises Conflict if the key belongs to another request, or its first request is still under way.
        """
        if await db.fetchval(self._sql.reserve_answer, key.key_hash, key.request_hash, KEPT_S):
            return None
        kept = await db.fetchrow(self._sql.kept_answer, key.key_hash)
        if kept is None:
            raise Conflict("another request with this Idempotency-Key has just failed: send it again")
        if kept["request_hash"] != key.request_hash:
            raise Conflict("this Idempotency-Key was used for another request: use a new one")
        if kept["status"] is None:
            raise Conflict("a request with this Idempotency-Key is under way: ask again in a moment")
        return Response(
            kept["body"] or b"",
            kept["status"],
            {"Idempotent-Replay": "true"},
            kept["content_type"],
        )

    async def keep(
        self, db: asyncpg.Connection, key: IdempotencyKey, response: Response, *, is_secret: bool
    ) -> None:
        """Keep the answer. An answer that holds a secret or is too large is not stored, only its status."""
        body = bytes(response.body)
        if is_secret or len(body) > LARGEST_ANSWER:
            body = b'{"error":"this was done before; its answer is not kept","code":"already_done"}'
            await db.execute(self._sql.keep_answer, key.key_hash, 409, "application/json", body)
            return
        kind = response.headers.get("content-type")
        await db.execute(self._sql.keep_answer, key.key_hash, response.status_code, kind, body)

    async def forget(self, db: asyncpg.Connection, key: IdempotencyKey) -> None:
        """Free the key of a request that failed."""
        await db.execute(self._sql.forget_answer, key.key_hash)

    async def prune(self, db: asyncpg.Connection, most: int = 10_000) -> None:
        """Remove answers that have expired."""
        await db.execute(self._sql.prune_answers, most)
