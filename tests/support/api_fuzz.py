"""Schemathesis on the whole description of the API, as one caller."""

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

SCENARIOS = ("stateful",)
HOOKS = "tests.support.api_fuzz_hooks"
ROOT = Path(__file__).parents[2]
CONFIG = Path(__file__).with_name("schemathesis.toml")
# Streams do not end, and have tests of their own. Two end the login that Schemathesis uses. The last ones
# send requests to sites, whose names would be looked up outside this machine.
WITHOUT = (
    *("--exclude-path-regex", "^/sse/|/stream"),
    *("--exclude-operation-id", "log_out"),
    *("--exclude-operation-id", "post_own_password"),
    *("--exclude-operation-id", "post_fetch_metadata"),
    *("--exclude-operation-id", "post_test_crawl"),
    *("--exclude-operation-id", "post_source_discover_feed"),
    *("--exclude-operation-id", "post_site_search"),
)


@dataclass(frozen=True, slots=True)
class Fuzzed:
    """What Schemathesis found."""

    exit_code: int
    output: str

    @property
    def cases(self) -> int:
        """How many requests it judged."""
        found = re.search(r"(\d+) generated", self.output)
        return int(found[1]) if found else 0

    @property
    def links(self) -> int:
        """How many links of the description it followed from a new object."""
        found = re.search(r"API Links: +(\d+) covered", self.output)
        return int(found[1]) if found else 0


def command(
    address: str, key: str | None, phases: Sequence[str], examples: int, seed: int, *more: str
) -> list[str]:
    """The command line; `key` is the API token of the caller."""
    caller = ["-H", f"Authorization: Bearer {key}"] if key else []
    return [
        *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(CONFIG), "run"),
        *(f"{address}/api/v1/openapi.json", *caller, "--checks", "all", "--phases", ",".join(phases)),
        *("--seed", str(seed), "--max-examples", str(examples), "--no-color", "--no-shrink"),
        *("--continue-on-failure", "--suppress-health-check", "all", "--warnings", "off"),
        *("--request-timeout", "60", "--generation-database", "none", *WITHOUT, *more),
    ]


def fuzz(
    address: str, key: str | None, phases: Sequence[str], examples: int, seed: int, folder: Path, *more: str
) -> Fuzzed:
    """Run Schemathesis in `folder`, where it keeps its files. Scenarios alone create usable objects."""
    hooks = {"SCHEMATHESIS_HOOKS": HOOKS} if tuple(phases) == SCENARIOS else {}
    done = subprocess.run(
        command(address, key, phases, examples, seed, *more),
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **hooks},
        capture_output=True,
        text=True,
        check=False,
    )
    return Fuzzed(done.returncode, done.stdout + done.stderr)
