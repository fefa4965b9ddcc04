"""Make `.venv` and install a lock into it, on a machine that may have nothing but python3.

    python3 scripts/bootstrap.py runtime     what a crawl needs
    python3 scripts/bootstrap.py dev         that, and what the tests need
    python3 scripts/bootstrap.py bench       what we measure ourselves beside, in `.venv-bench`
    python3 scripts/bootstrap.py native      the compiled scan, with a compiler from PyPI
    python3 scripts/bootstrap.py assets      the files of the dashboard, from npm
    python3 scripts/bootstrap.py lock        bring the locks in line with pyproject.toml and bench.in
    python3 scripts/bootstrap.py upgrade     that, and take the newest version of everything

PYTHON in the environment says that the Python which runs this was asked for, and no other will do.
Only the standard library is used, and nothing outside the project folder is changed except uv's
cache. Everything installed is named in `requirements/*.lock` with its hashes.
"""

from __future__ import annotations  # so that an older Python gets as far as being told

import os
import platform
import subprocess
import sys
from pathlib import Path

from choose_python import OLDEST, Python, ask, choose, describe, on_this_machine
from obtain_assets import obtain_assets
from obtain_pgbouncer import obtain_pgbouncer
from obtain_uv import NoInstaller, obtain_uv
from pip_config import home, uv_environment

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ROOT / "requirements"
VENV = ROOT / ".venv"
BENCH_VENV = ROOT / ".venv-bench"
SECONDARY_SOURCES = {"UV_INDEX", "UV_EXTRA_INDEX_URL", "UV_FIND_LINKS"}


def main(goal: str) -> None:
    if sys.version_info < OLDEST:
        sys.exit(
            f"setup: Outrider needs Python 3.11 or newer; {sys.executable} is {platform.python_version()}. "
            "With a newer one installed, say for example `make test PYTHON=python3.12`."
        )
    venv = BENCH_VENV if goal == "bench" else VENV
    environment = {**os.environ, **uv_environment(os.environ), "VIRTUAL_ENV": str(venv)}
    if not os.access(home(), os.W_OK):  # a service account, or a container's odd user
        environment.setdefault("UV_CACHE_DIR", str(ROOT / ".cache" / "uv"))
    try:
        uv = obtain_uv(ROOT / ".cache" / "bootstrap", LOCKS / "bootstrap.lock")
        if goal in ("lock", "upgrade"):
            write_locks(uv, environment, upgrade=goal == "upgrade")
        elif goal == "native":
            compile_scan(uv, environment)
        elif goal == "assets":
            if why := obtain_assets(ROOT, uv, environment):
                sys.exit(f"setup: {why}")
        else:
            install(uv, goal, venv, environment)
    except NoInstaller as error:
        sys.exit(f"setup: {error}")
    except OSError as error:
        sys.exit(f"setup: {error.filename or ROOT}: {error.strerror or error}; this folder must be writable")
    except subprocess.CalledProcessError as error:
        sys.exit(f"setup: `{Path(error.cmd[0]).name} {' '.join(error.cmd[1:4])} …` failed, see above")


def install(uv: str, goal: str, venv: Path, environment: dict[str, str]) -> None:
    """Bring the environment to what the lock says, then put the project itself into `.venv`."""
    say(f"installing requirements/{goal}.lock into {venv.name}")
    python = python_for(venv, asked="PYTHON" in environment)
    if python is not None:
        run([uv, "venv", "--quiet", "--clear", "--python", python, str(venv)], environment)
    install = [uv, "pip", "install", "--quiet"]
    if sys.dont_write_bytecode:  # then nobody does it later, and every start would compile everything again
        install.append("--compile-bytecode")
    # The lock is complete. Dependencies are not resolved again: overrides.in sets some of their bounds aside.
    lock = ["--no-deps", "--require-hashes", "--requirement", str(LOCKS / f"{goal}.lock")]
    run([*install, *lock], environment)
    if venv == VENV:
        # Without isolation the build uses the locked hatchling, and fetches nothing of its own choice.
        run([*install, "--no-deps", "--no-build-isolation", "--editable", str(ROOT)], environment)

    if venv == VENV and (why := obtain_assets(ROOT, uv, environment)):
        say(f"the dashboard has no styles and charts yet, because {why}; `make assets` tries again")
    if goal == "dev" and not obtain_pgbouncer(ROOT / ".cache" / "pgbouncer"):
        say("there is no PgBouncer, so its tests are skipped; Debian has it as `pgbouncer`")
    if goal == "dev":
        for script in ("obtain_browser.py", "obtain_web_servers.py"):
            run([str(venv / "bin" / "python"), str(ROOT / "scripts" / script)], environment)
    for done in ("runtime", "dev") if goal == "dev" else (goal,):
        (venv / f".{done}-installed").touch()
    (venv / ".made-for").write_text(str(ROOT))
    if "PYTHON" in environment:
        (venv / ".made-with").write_text(environment["PYTHON"])
    say("ready")


def compile_scan(uv: str, environment: dict[str, str]) -> None:
    """Compile the scan of pages with the compiler that the package `ziglang` holds."""
    zig = ROOT / ".cache" / "zig"
    say("installing requirements/zig.lock into .cache/zig")
    install = [uv, "pip", "install", "--quiet", "--require-hashes", "--target", str(zig)]
    run([*install, "--requirement", str(LOCKS / "zig.lock")], environment)
    python = str(VENV / "bin" / "python")
    run(
        [python, "-m", "outrider.extract.native.build", "--compiler", f"{python} -m ziglang cc"],
        {**environment, "PYTHONPATH": str(zig)},
    )


def python_for(venv: Path, *, asked: bool) -> str | None:
    """The Python to make this environment with, or None where it can stay as it is."""
    present = usable(venv)
    wanted = describe() if asked else None
    if venv == BENCH_VENV:  # only on the same Python is it a comparison
        wanted = usable(VENV) or wanted
    if present is not None and (wanted is None or wanted.is_same_as(present)):
        return None
    if present is not None:
        say(f"{venv.name} has another Python, and is made anew")
    if wanted is None:
        wanted = choose(describe(), on_this_machine(os.environ.get("PATH", "")))
        built = "with" if wanted.optimised else "without"
        say(f"using {wanted.executable}, which is built {built} optimisations; PYTHON=… chooses another")
    return wanted.executable


def usable(venv: Path) -> Python | None:
    """What this environment runs on, if it is there, was made in this folder, and its Python is supported."""
    try:
        made_for = (venv / ".made-for").read_text()
    except OSError:
        return None
    python = ask(venv / "bin" / "python") if made_for == str(ROOT) else None
    return python if python is not None and python.version >= OLDEST else None


def write_locks(uv: str, environment: dict[str, str], *, upgrade: bool) -> None:
    """Resolve pyproject.toml and bench.in for every platform. The locks name no index, so any mirror will do.

    Additional indexes are left aside: one that holds the wheels of one platform only would hide the
    hashes of the others.
    """
    environment = {name: value for name, value in environment.items() if name not in SECONDARY_SOURCES}
    compile_lock = [uv, "pip", "compile", "--quiet", "--universal", "--python-version", "3.11"]
    compile_lock += ["--generate-hashes", "--no-emit-index-url", "--no-annotate", "--no-header"]
    if upgrade:
        compile_lock.append("--upgrade")
    project = str(ROOT / "pyproject.toml")
    dev, runtime = LOCKS / "dev.lock", LOCKS / "runtime.lock"
    overrides = ["--overrides", str(LOCKS / "overrides.in")]
    run(
        [*compile_lock, *overrides, project, "--group", "dev", "--group", "build", "-o", str(dev)],
        environment,
    )
    # One version of everything: what a crawl runs on is what the tests ran on.
    runtime_from = [project, "--group", "build", "--constraint", str(dev)]
    run([*compile_lock, *runtime_from, "-o", str(runtime)], environment)
    run([*compile_lock, "--group", "bootstrap", "-o", str(LOCKS / "bootstrap.lock")], environment)
    run([*compile_lock, "--group", "node", "-o", str(LOCKS / "node.lock")], environment)
    run([*compile_lock, "--group", "zig", "-o", str(LOCKS / "zig.lock")], environment)
    run([*compile_lock, str(LOCKS / "bench.in"), "-o", str(LOCKS / "bench.lock")], environment)


def run(command: list[str], environment: dict[str, str]) -> None:
    subprocess.run(command, check=True, env=environment, cwd=ROOT)


def say(line: str) -> None:
    print(f"setup: {line}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    if sys.argv[1:] not in (["runtime"], ["dev"], ["bench"], ["native"], ["assets"], ["lock"], ["upgrade"]):
        sys.exit("usage: bootstrap.py runtime|dev|bench|native|assets|lock|upgrade")
    main(sys.argv[1])
