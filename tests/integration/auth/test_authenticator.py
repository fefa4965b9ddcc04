"""Every kind of credential leads to one principal, and what is not valid is refused."""

from datetime import UTC, datetime, timedelta

import asyncpg
import pytest
from tests.support.auth import OPERATOR, SECRETS, AuthServer, acting_as

from outrider.auth.audit import Actor
from outrider.auth.authenticator import Authenticator, Credentials
from outrider.auth.jwt import issue_jwt
from outrider.auth.keys import hash_key
from outrider.auth.model import ANONYMOUS, Principal, ProvenBy, Role
from outrider.auth.secrets import Secrets
from outrider.auth.users import user_by_id
from outrider.errors import Unauthenticated
from outrider.services.users.api_tokens import TokenRequest, create_api_token, revoke_api_token
from outrider.services.users.changes import change_role, disable_user
from outrider.services.users.sign_in import sign_out

PATH = "/api/v1/jobs/1/logs/stream"


def now() -> datetime:
    return datetime.now(UTC)


class OneSite:
    """The key `right` belongs to site 5."""

    async def site_of(self, db: asyncpg.Connection, key_hash: bytes) -> int | None:
        return 5 if key_hash == hash_key("right") else None


async def test_without_credentials_a_request_is_anonymous(db: asyncpg.Connection, server: AuthServer):
    assert await server.authenticator.principal(db, Credentials()) is ANONYMOUS


async def test_a_session_and_a_jwt_lead_to_the_same_user_and_role(db: asyncpg.Connection, server: AuthServer):
    await server.user(db, "ann", Role.ADMIN)
    signed_in = await server.sign_in(db, "ann")

    by_session = await server.authenticator.principal(db, Credentials(session=signed_in.session_cookie))
    by_jwt = await server.authenticator.principal(db, Credentials(bearer=signed_in.token))

    assert (by_session.user_id, by_session.role, by_session.name) == (
        by_jwt.user_id,
        by_jwt.role,
        by_jwt.name,
    )
    assert (by_session.proven_by, by_jwt.proven_by) == (ProvenBy.SESSION, ProvenBy.JWT)


async def test_logging_out_revokes_the_presented_jwt_and_no_other(db: asyncpg.Connection, server: AuthServer):
    await server.user(db, "ann")
    first, second = [await server.sign_in(db, "ann") for _ in range(2)]
    principal = await server.authenticator.principal(db, Credentials(bearer=first.token))

    await sign_out(db, server.tools, Actor(principal), now())

    with pytest.raises(Unauthenticated, match="revoked"):
        await server.authenticator.principal(db, Credentials(bearer=first.token))
    assert (await server.authenticator.principal(db, Credentials(bearer=second.token))).name == "ann"


async def test_a_jwt_of_a_user_who_does_not_exist_is_refused(db: asyncpg.Connection, server: AuthServer):
    ann = await server.user(db, "ann")
    token = issue_jwt(ann, SECRETS.jwt, now()).token
    await db.execute("DELETE FROM app_user")

    with pytest.raises(Unauthenticated):
        await server.authenticator.principal(db, Credentials(bearer=token))


async def test_a_wrong_credential_is_refused_although_another_is_right(
    db: asyncpg.Connection, server: AuthServer
):
    await server.user(db, "ann")
    cookie = (await server.sign_in(db, "ann")).session_cookie

    for wrong in (
        Credentials(bearer="x", session=cookie),
        Credentials(bearer="", session=cookie),
        Credentials(stream_token="x", path=PATH, session=cookie),
        Credentials(service_secret="x", session=cookie),
        Credentials(site_key="x", session=cookie),
    ):
        with pytest.raises(Unauthenticated):
            await server.authenticator.principal(db, wrong)


async def test_the_service_secret_is_compared_whole(db: asyncpg.Connection, server: AuthServer):
    found = await server.authenticator.principal(db, Credentials(service_secret="internal"))

    assert (found.role, found.proven_by) == (Role.SERVICE, ProvenBy.SERVICE_SECRET)
    for wrong in ("", "interna", "internal ", "INTERNAL", "x" * 10_000):
        with pytest.raises(Unauthenticated):
            await server.authenticator.principal(db, Credentials(service_secret=wrong))


async def test_without_an_internal_secret_none_is_right(db: asyncpg.Connection, server: AuthServer):
    closed = Authenticator(Secrets(SECRETS.jwt, SECRETS.session, None), server.sessions)

    for secret in ("", "None", "internal"):
        with pytest.raises(Unauthenticated):
            await closed.principal(db, Credentials(service_secret=secret))


async def test_the_key_of_a_site_leads_to_that_site(db: asyncpg.Connection, server: AuthServer):
    with_sites = AuthServer(site_keys=OneSite())

    found = await with_sites.authenticator.principal(db, Credentials(site_key="right"))

    assert (found.role, found.site_id, found.user_id) == (Role.SITE, 5, None)
    for authenticator, key in ((with_sites.authenticator, "wrong"), (server.authenticator, "right")):
        with pytest.raises(Unauthenticated, match="site"):
            await authenticator.principal(db, Credentials(site_key=key))


async def test_an_api_token_acts_for_its_owner(db: asyncpg.Connection, server: AuthServer):
    ann = await server.user(db, "ann", Role.ADMIN)
    made = await create_api_token(db, OPERATOR, TokenRequest("ci", "ann", read_only=True), now())

    found = await server.authenticator.principal(db, Credentials(bearer=made.key))

    assert found == Principal(
        Role.ADMIN, ProvenBy.API_TOKEN, ann.user_id, "ann", token_id=str(made.token.token_id), read_only=True
    )


async def test_an_api_token_never_may_more_than_its_owner(db: asyncpg.Connection, server: AuthServer):
    await server.user(db, "root", Role.ADMIN)
    await server.user(db, "ann", Role.ADMIN)
    full = await create_api_token(db, OPERATOR, TokenRequest("full", "ann"), now())
    less = await create_api_token(db, OPERATOR, TokenRequest("less", "ann", role=Role.USER), now())

    async def role_of(key: str) -> Role:
        return (await server.authenticator.principal(db, Credentials(bearer=key))).role

    assert (await role_of(full.key), await role_of(less.key)) == (Role.ADMIN, Role.USER)
    await change_role(db, OPERATOR, "ann", Role.USER)
    assert (await role_of(full.key), await role_of(less.key)) == (Role.USER, Role.USER)


async def test_an_api_token_stops_when_revoked_expired_or_its_owner_is_disabled(
    db: asyncpg.Connection, server: AuthServer
):
    await server.user(db, "ann")
    revoked, expired, disabled = [
        await create_api_token(
            db, OPERATOR, TokenRequest(name, "ann", expires_at=now() + timedelta(days=1)), now()
        )
        for name in ("revoked", "expired", "disabled")
    ]
    for made in (revoked, expired, disabled):
        assert await server.authenticator.principal(db, Credentials(bearer=made.key))

    await revoke_api_token(db, OPERATOR, revoked.token.token_id)
    await db.execute("UPDATE api_token SET expires_at = now() WHERE name = 'expired'")

    for made in (revoked, expired):
        with pytest.raises(Unauthenticated, match="API token"):
            await server.authenticator.principal(db, Credentials(bearer=made.key))
    assert await server.authenticator.principal(db, Credentials(bearer=disabled.key))
    await disable_user(db, OPERATOR, "ann")
    with pytest.raises(Unauthenticated):
        await server.authenticator.principal(db, Credentials(bearer=disabled.key))


@pytest.mark.parametrize(
    "key", ["ort_", "ort_x", "ort_" + "x" * 10_000, "ort_" + "A-_x" * 11, "ort_\x00\ud800"]
)
async def test_an_unknown_api_token_is_refused(db: asyncpg.Connection, server: AuthServer, key: str):
    with pytest.raises(Unauthenticated):
        await server.authenticator.principal(db, Credentials(bearer=key))


async def test_the_use_of_a_token_is_recorded_once_a_minute(db: asyncpg.Connection, server: AuthServer):
    await server.user(db, "ann")
    made = await create_api_token(db, OPERATOR, TokenRequest("ci", "ann"), now())

    async def used_at() -> datetime | None:
        await server.authenticator.principal(db, Credentials(bearer=made.key))
        return await db.fetchval("SELECT last_used_at FROM api_token")

    first = await used_at()
    assert first is not None
    assert await used_at() == first
    await db.execute("UPDATE api_token SET last_used_at = now() - interval '61 seconds'")
    assert await used_at() > first


async def test_a_stream_token_opens_its_stream_and_only_reads(
    db: asyncpg.Connection, each_server: AuthServer
):
    ann = await each_server.user(db, "ann", Role.ADMIN)
    signed_in = await each_server.sign_in(db, "ann")
    api_token = await create_api_token(db, OPERATOR, TokenRequest("ci", "ann", role=Role.USER), now())
    for credentials, role in (
        (Credentials(session=signed_in.session_cookie), Role.ADMIN),
        (Credentials(bearer=signed_in.token), Role.ADMIN),
        (Credentials(bearer=api_token.key), Role.USER),
    ):
        principal = await each_server.authenticator.principal(db, credentials)
        token = await each_server.authenticator.stream_token(db, principal, PATH, now())

        found = await each_server.authenticator.principal(db, Credentials(stream_token=token, path=PATH))

        assert found == Principal(role, ProvenBy.STREAM_TOKEN, ann.user_id, "ann", read_only=True)
        for other in ("/api/v1/users", None):
            with pytest.raises(Unauthenticated):
                await each_server.authenticator.principal(db, Credentials(stream_token=token, path=other))


async def test_a_stream_token_ends_with_the_login_it_came_from(
    db: asyncpg.Connection, each_server: AuthServer
):
    await each_server.user(db, "ann")
    signed_in = await each_server.sign_in(db, "ann")
    api_token = await create_api_token(db, OPERATOR, TokenRequest("ci", "ann"), now())
    principals = [
        await each_server.authenticator.principal(db, credentials)
        for credentials in (
            Credentials(session=signed_in.session_cookie),
            Credentials(bearer=signed_in.token),
            Credentials(bearer=api_token.key),
        )
    ]
    tokens = [await each_server.authenticator.stream_token(db, each, PATH, now()) for each in principals]

    await sign_out(db, each_server.tools, Actor(principals[0]), now())
    await sign_out(db, each_server.tools, Actor(principals[1]), now())
    await revoke_api_token(
        db, acting_as(await user_by_id(db, principals[2].user_id)), api_token.token.token_id
    )

    for token in tokens:
        with pytest.raises(Unauthenticated, match="revoked"):
            await each_server.authenticator.principal(db, Credentials(stream_token=token, path=PATH))
