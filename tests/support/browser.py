"""A real Chromium for tests of pages: the one that `scripts/obtain_browser.py` unpacked, or the machine's."""

import os
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.async_api import Browser, async_playwright

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / ".cache" / "browser"
AXE = PACKAGE / "node_modules" / "axe-core" / "axe.min.js"
# Names lead nowhere: a page under test can load nothing from outside this machine.
ARGUMENTS = [
    "--no-sandbox",
    "--no-zygote",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP *.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]


@dataclass(frozen=True, slots=True)
class InstalledBrowser:
    """Where Chromium is, and what it needs in its environment."""

    program: Path
    environment: dict[str, str] = field(default_factory=dict)


def installed_browser() -> InstalledBrowser | None:
    """The browser of the package, unpacked if needed; else the machine's; None if there is none."""
    subprocess.run([sys.executable, str(ROOT / "scripts" / "obtain_browser.py")], check=False)
    if (program := PACKAGE / "chromium").is_file():
        home = PACKAGE / "home"
        home.mkdir(exist_ok=True)
        environment = {
            "LD_LIBRARY_PATH": str(PACKAGE / "al2023" / "lib"),
            "FONTCONFIG_PATH": str(PACKAGE / "fonts"),
            "HOME": str(home),
        }
        return InstalledBrowser(program, environment)
    found = shutil.which("chromium")
    return InstalledBrowser(Path(found)) if found else None


@asynccontextmanager
async def running_browser(installed: InstalledBrowser) -> AsyncIterator[Browser]:
    """A browser of the test's own."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=installed.program,
            headless=True,
            args=ARGUMENTS,
            env={**os.environ, **installed.environment},
        )
        try:
            yield browser
        finally:
            await browser.close()
