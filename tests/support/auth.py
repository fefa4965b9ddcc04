"""Users and servers for the tests of authentication."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count

import asyncpg
from argon2 import PasswordHasher

from outrider.auth import users
from outrider.auth.audit import Actor, shell_actor
from outrider.auth.authenticator import Authenticator
from outrider.auth.keys import SiteKeys
from outrider.auth.login import LoginAttempt
from outrider.auth.metrics import AuthMetrics
from outrider.auth.model import Principal, ProvenBy, Role
from outrider.auth.passwords import Passwords
from outrider.auth.secrets import Secrets
from outrider.auth.sessions import PostgresSessions, SessionStore
from outrider.auth.users import User
from outrider.services.users.sign_in import SignedIn, SignInTools, sign_in

PASSWORD = "correct horse battery"
QUICK = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)  # as secure as a test needs
SECRETS = Secrets(
    b"jwt secret of these tests, long enough", b"session secret of these tests, long", "internal"
)
OPERATOR = shell_actor("tests")

_numbers = count(1)


@dataclass
class AuthServer:
    """What a server has of authentication, on one store of sessions."""

    sessions: SessionStore = field(default_factory=PostgresSessions)
    metrics: AuthMetrics = field(default_factory=AuthMetrics)
    site_keys: SiteKeys | None = None

    def __post_init__(self) -> None:
        self.tools = SignInTools(SECRETS, self.sessions, Passwords(QUICK), self.metrics)
        self.authenticator = Authenticator(SECRETS, self.sessions, self.site_keys)

    async def user(self, db: asyncpg.Connection, name: str = "", role: Role = Role.USER) -> User:
        stored = await self.tools.passwords.hash(PASSWORD)
        return await users.add_user(db, name or f"user{next(_numbers)}", stored, role)

    async def sign_in(self, db: asyncpg.Connection, name: str, password: str = PASSWORD) -> SignedIn:
        return await sign_in(db, self.tools, LoginAttempt(name, password, "192.0.2.1"), datetime.now(UTC))

    def counted(self, name: str, **labels: str) -> float:
        return self.metrics.registry.get_sample_value(name, labels) or 0.0


def acting_as(user: User) -> Actor:
    """The user, signed in by a session."""
    return Actor(Principal(user.role, ProvenBy.SESSION, user.user_id, user.name), "192.0.2.1", "request-1")
