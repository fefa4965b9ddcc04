"""The way of a request: who may call, which parameters exist, how errors look."""


async def test_a_caller_who_is_not_signed_in_is_refused(api):
    answer = await api.get("/api/v1/workers", role="anonymous")

    assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")
    assert answer.headers["www-authenticate"] == "Bearer"


async def test_an_unknown_parameter_is_refused(api):
    answer = await api.get("/api/v1/workers?colour=red")

    assert answer.status_code == 400
    assert "'colour'" in answer.json()["error"]


async def test_a_parameter_that_takes_one_value_is_refused_when_it_comes_again(api):
    twice = await api.get("/api/v1/frontier?status=dead&status=pending")
    dry = await api.call("DELETE", "/api/v1/frontier?dry_run=true&dry_run=false&confirm=true")
    comma = await api.get("/api/v1/jobs?status=pending&status=failed")
    several = await api.get("/api/v1/events?types=job:status&types=job:progress")

    for answer, name in ((twice, "status"), (dry, "dry_run"), (comma, "status")):
        assert answer.status_code == 400
        assert f"{name!r} is given more than once" in answer.json()["error"]
    assert several.status_code == 200, "a list takes several values"


async def test_an_address_that_does_not_exist_is_an_error_in_the_same_shape(api):
    answer = await api.get("/api/v1/nothing")

    assert (answer.status_code, answer.json()["code"]) == (404, "no_such_path")


async def test_what_the_client_has_already_is_not_sent_again(api):
    first = await api.get("/api/v1/workers")
    again = await api.get("/api/v1/workers", headers={"If-None-Match": first.headers["etag"]})

    assert first.json() == {"health": None, "live": 0, "total": 0, "workers": []}
    assert (again.status_code, again.content) == (304, b"")
