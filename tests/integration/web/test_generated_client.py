"""A client that a generator makes from the description works against the server."""

import importlib
import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from tests.support.api import ORIGIN
from tests.support.scheduling import complete_run

from outrider.web.api_reference import description

SETTINGS = Path(__file__).parents[2] / "support" / "generated_client.yaml"
PACKAGE = "outrider_client"


@pytest.fixture(scope="module")
def generated(tmp_path_factory):
    """The package that the generator writes; a warning of the generator fails the test."""
    folder = tmp_path_factory.mktemp("client")
    (folder / "openapi.json").write_text(json.dumps(description()))
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--fail-on-warning"]
    command += [
        "--path",
        "openapi.json",
        "--meta",
        "none",
        "--output-path",
        PACKAGE,
        "--config",
        str(SETTINGS),
    ]
    made = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    assert made.returncode == 0, made.stdout + made.stderr
    sys.path.insert(0, str(folder))
    yield folder / PACKAGE
    sys.path.remove(str(folder))
    for name in [each for each in sys.modules if each.partition(".")[0] == PACKAGE]:
        del sys.modules[name]


@pytest.fixture
def client(generated, signed_api):
    """Calls operations over the application in this process: `call("jobs.get_jobs", limit=3)`."""
    package = importlib.import_module(PACKAGE)
    models = importlib.import_module(f"{PACKAGE}.models")
    found = SimpleNamespace(models=models, caller=None)

    def use(made):
        transport = signed_api.client._transport
        headers = made._headers | (
            {made.auth_header_name: f"{made.prefix} {made.token}"} if hasattr(made, "token") else {}
        )
        inside = httpx.AsyncClient(transport=transport, base_url=ORIGIN, headers=headers)
        found.caller = made.set_async_httpx_client(inside)

    async def call(operation, *parts, **values):
        module = importlib.import_module(f"{PACKAGE}.api.{operation}")
        return await module.asyncio(*parts, client=found.caller, **values)

    def sign_in(token):
        use(package.AuthenticatedClient(ORIGIN, token, raise_on_unexpected_status=True))

    found.call, found.sign_in = call, sign_in
    use(package.Client(ORIGIN, raise_on_unexpected_status=True))
    return found


async def test_a_generated_client_signs_in_and_works_with_sources_jobs_and_runs(client, operator):
    models, call = client.models, client.call

    signed_in = await call("auth.log_in", body=models.Login("ada", "password of ada"))
    client.sign_in(signed_in.token)
    source = await call("sources.post_source", body=models.NewSourceBody("blatt.test", "blatt"))
    job = await call(
        "jobs.post_job",
        body=models.NewJobBody("blatt", interval_minutes=60, interval_type=models.Unit.MINUTES),
    )
    await complete_run(operator, job.number)
    jobs = await call("jobs.get_jobs", status="scheduled", sort_by=models.JobSort.CREATED_AT)
    runs = await call("executions.get_executions", str(job.id), limit=5)
    run = await call("executions.get_execution", str(runs.items[0].id))

    assert signed_in.user.role is models.Role.ADMIN
    assert (source.name, source.mode) == ("blatt", models.Mode.FEED)
    assert [(each.id, each.status) for each in jobs.items] == [(job.id, models.JobStatus.SCHEDULED)]
    assert jobs.position.count(".") == 2
    assert run.status is models.RunStatus.COMPLETED


async def test_a_refusal_is_a_typed_answer(client):
    wrong = await client.call("auth.log_in", body=client.models.Login("ada", "not this one"))
    client.sign_in("no token")
    refused = await client.call("jobs.get_jobs")

    assert isinstance(wrong, client.models.Error)
    assert isinstance(refused, client.models.Error)
    assert refused.code == "unauthenticated"


def test_models_have_the_names_of_the_field(generated):
    names = {each.stem for each in (generated / "models").glob("*.py")}

    assert {"job", "job_list", "job_status", "source", "run_details", "host_summary_list", "error"} <= names
    assert [each for each in names if each.endswith("_shape") or "response_200" in each] == []
