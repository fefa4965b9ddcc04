"""`/health`: whether Outrider works, for people, load balancers and supervisors (API-01 to API-03)."""

from dataclasses import dataclass

from starlette.responses import Response

from outrider.auth.model import Role
from outrider.services.operations.health import HealthCheck
from outrider.services.operations.health_policy import CheckStatus, HealthReport, HealthStatus
from outrider.services.operations.memory import MemoryReport, read_memory
from outrider.web.answers import respond
from outrider.web.context import ServerContext
from outrider.web.dependencies import Context, Db
from outrider.web.lifecycle import is_draining
from outrider.web.router import ApiRouter

router = ApiRouter("health")


@dataclass(frozen=True, slots=True)
class Liveness:
    """The process answers."""

    status: str = "alive"


@dataclass(frozen=True, slots=True)
class Readiness:
    """Whether the process takes requests, and why not."""

    status: str  # ready or not_ready
    reason: str | None = None


def health_of(context: ServerContext) -> HealthCheck:
    """The health check of this process."""
    check = context.parts.get("health")
    if not isinstance(check, HealthCheck):
        check = HealthCheck(context.connection, context.settings, context.started_at)
        context.parts["health"] = check
    return check


@router.get(
    "/health",
    Role.ANONYMOUS,
    summary="Show whether Outrider works",
    result=HealthReport,
    errors=(503,),
    is_probe=True,
)
async def get_health(context: Context) -> Response:
    """The status, and the check of every part with its latency. `degraded` says in sentences what does not
    work. The answer is 503 only if requests cannot be answered."""
    return await _health(context)


@router.add("HEAD", "/health", Role.ANONYMOUS, summary="Show whether it works", is_probe=True)
async def head_health(context: Context) -> Response:
    """The status of `GET /health` without a body, for load balancers."""
    return Response(status_code=(await _health(context)).status_code)


@router.get(
    "/health/live", Role.ANONYMOUS, summary="Show that the process answers", result=Liveness, is_probe=True
)
async def get_liveness() -> Liveness:
    """Always 200: a supervisor that gets no answer should start the process again."""
    return Liveness()


@router.get(
    "/health/ready",
    Role.ANONYMOUS,
    summary="Show whether the process takes requests",
    result=Readiness,
    errors=(503,),
    is_probe=True,
)
async def get_readiness(context: Context) -> Response:
    """503 while the database is away, and from the moment the process was told to stop."""
    if is_draining(context):
        return respond(Readiness("not_ready", "the server stops"), status=503)
    database = (await health_of(context).report()).checks["database"]
    if database.status is CheckStatus.FAILED:
        return respond(Readiness("not_ready", database.message), status=503)
    return respond(Readiness("ready"))


@router.get("/health/memory", Role.USER, summary="Show the memory of the processes", result=MemoryReport)
async def get_memory(db: Db) -> MemoryReport:
    """The memory of the process that answers, and of the workers by their last heartbeat."""
    return await read_memory(db)


async def _health(context: ServerContext) -> Response:
    report = await health_of(context).report()
    return respond(report, status=503 if report.status is HealthStatus.UNHEALTHY else 200)
