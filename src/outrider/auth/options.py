"""Settings of authentication and of rate limits."""

from dataclasses import dataclass, field

from outrider.options import setting

WINDOW_S = 60.0  # of a rate limit
HIGHEST_LIMIT = 6_000  # requests a minute; each is a time in a row of the database


@dataclass(frozen=True, slots=True)
class AuthOptions:
    """Settings of users, tokens and rate limits."""

    jwt_secret: str | None = field(
        default=None,
        repr=False,
        metadata=setting(
            "OUTRIDER_JWT_SECRET",
            "Signs bearer tokens: at least 32 random characters, the same for all processes.",
            alias=("AUTH_JWT_SECRET",),
            secret=True,
        ),
    )
    session_secret: str | None = field(
        default=None,
        repr=False,
        metadata=setting(
            "OUTRIDER_SESSION_SECRET",
            "Signs form tokens and stream tokens: at least 32 random characters, the same for all processes.",
            alias=("SESSION_SECRET",),
            secret=True,
        ),
    )
    internal_secret: str | None = field(
        default=None,
        repr=False,
        metadata=setting(
            "OUTRIDER_INTERNAL_SECRET",
            "What other services send in X-Internal-Secret; without it the internal routes do not exist.",
            alias=("AUTH_INTERNAL_SECRET",),
            secret=True,
        ),
    )
    admin_name: str = field(
        default="admin",
        metadata=setting(
            "OUTRIDER_ADMIN_NAME",
            "The name of the user that OUTRIDER_ADMIN_PASSWORD creates.",
            alias=("AUTH_USERNAME",),
        ),
    )
    admin_password: str | None = field(
        default=None,
        repr=False,
        metadata=setting(
            "OUTRIDER_ADMIN_PASSWORD",
            "Creates an administrator with this password at the first start, if there is no user.",
            alias=("AUTH_PASSWORD",),
            secret=True,
        ),
    )
    anonymous_limit: int = field(
        default=10,
        metadata=setting(
            "OUTRIDER_RATE_LIMIT_ANONYMOUS",
            "Requests a minute from one address without a login.",
            least=1,
            most=HIGHEST_LIMIT,
        ),
    )
    user_limit: int = field(
        default=100,
        metadata=setting(
            "OUTRIDER_RATE_LIMIT_USER", "Requests a minute of one user.", least=1, most=HIGHEST_LIMIT
        ),
    )
    admin_limit: int = field(
        default=500,
        metadata=setting(
            "OUTRIDER_RATE_LIMIT_ADMIN",
            "Requests a minute of one administrator.",
            least=1,
            most=HIGHEST_LIMIT,
        ),
    )
    site_limit: int = field(
        default=6_000,
        metadata=setting(
            "OUTRIDER_RATE_LIMIT_SITE",
            "Requests a minute with the key of one site.",
            least=1,
            most=HIGHEST_LIMIT,
        ),
    )
    seed_limit: int = field(
        default=10,
        metadata=setting(
            "OUTRIDER_RATE_LIMIT_SEEDS",
            "Requests a minute of one user that add URLs to the queue.",
            least=1,
            most=HIGHEST_LIMIT,
        ),
    )
