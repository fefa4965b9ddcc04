"""`outrider demo --serve`: the platform with a newsroom, as it is when the address is printed."""

import json
import os
import re
import signal
import subprocess
import sys

import httpx

LISTS = (
    *("/overview", "/frontier", "/pages", "/hosts", "/sources", "/feeds", "/discovered", "/discovered/links"),
    *("/jobs", "/runs", "/scheduler", "/workers", "/health-report", "/users", "/tokens", "/audit", "/sites"),
    *(f"/sites/alderford-town?tab={tab}" for tab in ("redirects", "broken", "links")),
)


def test_every_page_shows_something_when_the_address_is_printed(tmp_path):
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("OUTRIDER_")}
    with (tmp_path / "demo.err").open("wb") as errors:
        demo = subprocess.Popen(
            [sys.executable, "-m", "outrider", "demo", "--serve", "--json", "--port", "0"],
            env=inherited | {"OUTRIDER_LOG_LEVEL": "error"},
            stdout=subprocess.PIPE,
            stderr=errors,
        )
    try:
        assert demo.stdout is not None
        line = demo.stdout.readline()
        assert line, (tmp_path / "demo.err").read_text()
        started = json.loads(line)
        with httpx.Client(base_url=started["address"], timeout=60) as client:
            name, password = re.findall(r"as (\S+) with the password (\S+)", started["notices"][0])[0]
            client.post("/api/v1/auth/login", json={"username": name, "password": password})
            shown = {path: client.get(path) for path in LISTS}
        demo.send_signal(signal.SIGINT)
        code = demo.wait(60)
    finally:
        if demo.poll() is None:
            demo.kill()
            demo.wait()
        demo.stdout.close()

    assert {path for path, page in shown.items() if page.status_code != 200} == set()
    assert {path for path, page in shown.items() if 'class="empty-state"' in page.text} == set()
    assert code == 0, (tmp_path / "demo.err").read_text()
