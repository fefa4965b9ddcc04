"""The words of authentication: roles, and the principal that a request acts for. Pure."""

from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    """What a principal may do."""

    ANONYMOUS = "anonymous"  # not signed in
    SITE = "site"  # a machine with the key of one owned site
    SERVICE = "service"  # a machine with the internal secret
    USER = "user"  # may read everything but users and the audit log
    ADMIN = "admin"  # may read and change everything


class ProvenBy(StrEnum):
    """How a request proved whom it acts for."""

    NOTHING = "nothing"
    SESSION = "session"  # the cookie of the dashboard
    JWT = "jwt"
    API_TOKEN = "api_token"
    STREAM_TOKEN = "stream_token"
    SERVICE_SECRET = "service_secret"
    SITE_KEY = "site_key"
    SHELL = "shell"  # the command line: an operator who can reach the database


@dataclass(frozen=True, slots=True)
class Principal:
    """Whom a request acts for."""

    role: Role = Role.ANONYMOUS
    proven_by: ProvenBy = ProvenBy.NOTHING
    user_id: int | None = None
    name: str = "anonymous"
    session_id: str | None = None  # of a session, so that logging out ends it
    token_id: str | None = None  # of a JWT (jti) or an API token
    read_only: bool = False  # an API token that was limited to reading
    site_id: int | None = None  # of a site key

    @property
    def is_signed_in(self) -> bool:
        return self.role is not Role.ANONYMOUS


ANONYMOUS = Principal()
