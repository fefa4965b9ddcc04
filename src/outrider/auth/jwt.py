"""Bearer tokens: signed JWTs with HS256, and the list of those that were revoked before their end."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import asyncpg
import jwt

from outrider.auth.model import Role
from outrider.auth.users import User, user_of
from outrider.db.queries import Queries
from outrider.errors import Unauthenticated

ALGORITHM = "HS256"  # pinned: the header of a token does not choose
LIFE = timedelta(hours=24)
LEEWAY_S = 10  # clocks of several machines differ a little
LONGEST_TOKEN = 2_000  # characters; ours have about 300

_CLAIMS = ["sub", "role", "iat", "nbf", "exp", "jti", "gen"]
_SQL = Queries.load("outrider.auth")


@dataclass(frozen=True, slots=True)
class NewJwt:
    """A token that was just issued."""

    token: str
    jti: UUID
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class JwtClaims:
    """What a token with a valid signature says."""

    user_id: int
    role: Role
    generation: int
    jti: UUID
    expires_at: datetime


def issue_jwt(user: User, secret: bytes, now: datetime) -> NewJwt:
    """A token for a user."""
    jti, expires_at = uuid4(), now + LIFE
    claims = {
        "sub": str(user.user_id),
        "role": user.role.value,
        "iat": now,
        "nbf": now,
        "exp": expires_at,
        "jti": str(jti),
        "gen": user.generation,
    }
    return NewJwt(jwt.encode(claims, secret, algorithm=ALGORITHM), jti, expires_at)


def read_jwt(token: str, secret: bytes) -> JwtClaims:
    """The claims of a token; raises Unauthenticated unless it is ours and valid at this time."""
    if len(token) > LONGEST_TOKEN:
        raise Unauthenticated("the bearer token is too long to be one of Outrider")
    try:
        claims = jwt.decode(
            token, secret, algorithms=[ALGORITHM], leeway=LEEWAY_S, options={"require": _CLAIMS}
        )
        return JwtClaims(
            int(claims["sub"]),
            Role(claims["role"]),
            int(claims["gen"]),
            UUID(claims["jti"]),
            datetime.fromtimestamp(claims["exp"], UTC),
        )
    except jwt.ExpiredSignatureError:
        raise Unauthenticated("the bearer token has expired: sign in again") from None
    except (jwt.PyJWTError, ValueError, TypeError, OverflowError, AttributeError, RecursionError):
        raise Unauthenticated("the bearer token is not valid: sign in again") from None


async def user_of_jwt(db: asyncpg.Connection, user_id: int, generation: int, jti: UUID) -> User | None:
    """The user of a token; None if the token or all tokens of the user were revoked."""
    row = await db.fetchrow(_SQL.user_of_jwt, user_id, generation, jti)
    return None if row is None else user_of(row)


async def revoke_jwt(db: asyncpg.Connection, jti: UUID, expires_at: datetime) -> None:
    """Refuse a token from now on."""
    await db.execute(_SQL.revoke_jwt, jti, expires_at + timedelta(seconds=LEEWAY_S))
