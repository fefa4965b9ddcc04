"""Judge the pages of the dashboard with Lighthouse, and print a table: `make lighthouse`.

Accessibility and best practices must reach 95 on every page, performance on overview, frontier and jobs.
Lighthouse comes from npm into `.cache/lighthouse`. With `--million` it judges these three pages on a database
with a million URLs, which takes minutes to fill: `make lighthouse ARGS=--million`.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

from obtain_assets import install_locked
from obtain_uv import obtain_uv
from running_demo import RunningDemo, running_demo
from running_million import running_million

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.support.browser import ARGUMENTS, installed_browser  # noqa: E402

LOCK = ROOT / "frontend" / "lighthouse"
TARGET = ROOT / ".cache" / "lighthouse"
STAMP = TARGET / ".made-from"
LEAST = 95
CATEGORIES = ("performance", "accessibility", "best-practices")
PAGES = (
    *("/overview", "/frontier", "/jobs"),
    *("/pages", "/hosts", "/hosts/harbour-gazette.test", "/sources", "/sources/new", "/feeds", "/discovered"),
    *("/runs", "/scheduler", "/workers", "/health-report", "/settings", "/users", "/tokens", "/audit"),
    *(
        "/account",
        "/search?q=harbour",
        "/urls?url=http%3A%2F%2Fharbour-gazette.test%2Ffeed",
        "/discovered/links",
    ),
    *(
        "/sites",
        "/sites/alderford-town",
        "/sites/alderford-town?tab=broken",
        "/sites/alderford-town?tab=links",
    ),
    *("/frontier/submit", "/jobs/new", "/runs/new", "/sources/import", "/scheduler/rebalance", "/login"),
)
FAST = PAGES[:3]


def obtain() -> Path | str:
    """The script of Lighthouse, installed if needed; a text says why there is none."""
    script = TARGET / "node_modules" / "lighthouse" / "cli" / "index.js"
    made_from = (LOCK / "package-lock.json").read_text()
    if STAMP.is_file() and STAMP.read_text() == made_from:
        return script
    uv = obtain_uv(ROOT / ".cache" / "bootstrap", ROOT / "requirements" / "bootstrap.lock")
    packages = install_locked(ROOT, LOCK, TARGET, uv, dict(os.environ))
    if isinstance(packages, str):
        return packages
    STAMP.write_text(made_from)
    return script


def sign_in(demo: RunningDemo) -> str:
    """The cookie of a session."""
    body = json.dumps({"username": demo.user, "password": demo.password}).encode()
    request = urllib.request.Request(
        f"{demo.address}/api/v1/auth/login", body, {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return str(answer.headers["Set-Cookie"]).split(";")[0]


def judge(script: Path, demo: RunningDemo, cookie: str, path: str) -> dict[str, int] | str:
    """The scores of a page from 0 to 100; a text says what failed."""
    browser = installed_browser()
    node = shutil.which("node")
    if browser is None or node is None:
        return "there is no browser or no Node"
    headers = "{}" if path == "/login" else json.dumps({"Cookie": cookie})
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        done = subprocess.run(
            [
                *(node, str(script), demo.address + path, "--quiet", "--output=json"),
                *(f"--output-path={report.name}", f"--only-categories={','.join(CATEGORIES)}"),
                *("--preset=desktop", f"--extra-headers={headers}"),
                f"--chrome-flags=--headless=new {' '.join(each for each in ARGUMENTS if ' ' not in each)}",
            ],
            env=os.environ | browser.environment | {"CHROME_PATH": str(browser.program)},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            return (done.stderr.strip().splitlines() or ["Lighthouse failed"])[-1]
        found = json.loads(Path(report.name).read_text())["categories"]
    return {each: round((found[each]["score"] or 0) * 100) for each in CATEGORIES}


def main() -> None:
    parser = argparse.ArgumentParser(description="Judge the pages of the dashboard with Lighthouse.")
    parser.add_argument("paths", nargs="*", help="pages to judge in place of the usual ones")
    parser.add_argument("--million", action="store_true", help="judge on a million URLs, not on the demo")
    given = parser.parse_args()
    script = obtain()
    if isinstance(script, str):
        sys.exit(f"Lighthouse could not be had: {script}")
    is_good = True
    with running_million() if given.million else running_demo() as demo:
        cookie = sign_in(demo)
        print(f"{'page':32}" + "".join(f"{each:>16}" for each in CATEGORIES) + f"{'load':>8}")
        for path in given.paths or (FAST if given.million else PAGES):
            load = os.getloadavg()[0]  # before this page: a busy machine lowers the score of performance
            scores = judge(script, demo, cookie, path)
            if isinstance(scores, str):
                is_good = False
                print(f"{path:32}  {scores}", flush=True)
                continue
            wanted = CATEGORIES if path in FAST else CATEGORIES[1:]
            is_good &= all(scores[each] >= LEAST for each in wanted)
            shown = "".join(f"{scores[each]:>16}" for each in CATEGORIES)
            print(f"{path:32}{shown}{load:>8.1f}", flush=True)
    sys.exit(0 if is_good else 1)


if __name__ == "__main__":
    main()
