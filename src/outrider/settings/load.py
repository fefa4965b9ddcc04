"""Merge the sources of settings into one `Settings` and record the origin of each value."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_type_hints

import platformdirs

from outrider.alerts.options import AlertOptions
from outrider.auth.options import AuthOptions
from outrider.backup.options import BackupOptions
from outrider.coordination.options import CoordinationOptions
from outrider.crawl.admission.traps import TrapOptions
from outrider.crawl.options import CrawlOptions
from outrider.db.options import DatabaseOptions
from outrider.errors import InvalidInput, Misconfigured
from outrider.feeds.options import FeedOptions
from outrider.fetch.options import FetchOptions
from outrider.frontier.options import FrontierOptions
from outrider.hosts.options import HostOptions
from outrider.jobs.options import JobOptions
from outrider.links.options import LinkOptions
from outrider.log_options import LogOptions
from outrider.masking import MASK
from outrider.object_store.options import S3Options
from outrider.redis.options import RedisOptions
from outrider.remote.options import RemoteOptions
from outrider.run_logs.options import RunLogOptions
from outrider.settings.convert import convert
from outrider.settings.declared import DeclaredSetting, declared_settings
from outrider.settings.foreign import WITHOUT_EFFECT
from outrider.settings.sources import (
    FILE_NAME,
    RawValue,
    find_file,
    from_environment,
    from_file,
    from_options,
)
from outrider.web.options import WebOptions

_LONGEST_SHOWN = 80


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of every package. The environment is not read after this."""

    crawl: CrawlOptions = field(default_factory=CrawlOptions)
    traps: TrapOptions = field(default_factory=TrapOptions)
    feeds: FeedOptions = field(default_factory=FeedOptions)
    hosts: HostOptions = field(default_factory=HostOptions)
    fetch: FetchOptions = field(default_factory=FetchOptions)
    frontier: FrontierOptions = field(default_factory=FrontierOptions)
    database: DatabaseOptions = field(default_factory=DatabaseOptions)
    backup: BackupOptions = field(default_factory=BackupOptions)
    redis: RedisOptions = field(default_factory=RedisOptions)
    coordination: CoordinationOptions = field(default_factory=CoordinationOptions)
    jobs: JobOptions = field(default_factory=JobOptions)
    run_logs: RunLogOptions = field(default_factory=RunLogOptions)
    links: LinkOptions = field(default_factory=LinkOptions)
    alerts: AlertOptions = field(default_factory=AlertOptions)
    s3: S3Options = field(default_factory=S3Options)
    auth: AuthOptions = field(default_factory=AuthOptions)
    logs: LogOptions = field(default_factory=LogOptions)
    web: WebOptions = field(default_factory=WebOptions)
    remote: RemoteOptions = field(default_factory=RemoteOptions)

    @property
    def has_daily_backup(self) -> bool:
        """Whether the leading scheduler writes a backup every day."""
        return self.backup.is_daily(is_embedded=self.database.url is None)

    @property
    def backup_folder(self) -> Path:
        """Where backups are written."""
        return self.backup.folder_in(self.database.data_dir)


@dataclass(frozen=True, slots=True)
class SettingValue:
    """One setting as `outrider config` shows it."""

    name: str
    key: str
    value: str
    origin: str
    help: str


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings, and the origin of each."""

    settings: Settings
    given: Mapping[str, RawValue]
    ignored: Mapping[str, str]  # variables that are set and have no effect, with the reason

    def choices(self) -> Iterator[SettingValue]:
        for each in all_declared():
            options = getattr(self.settings, each.section)
            origin = self.given[each.setting.env].origin if each.setting.env in self.given else "default"
            value = each.say(getattr(options, each.field))
            yield SettingValue(each.setting.env, each.setting.key, value, origin, each.setting.help)


def load(
    options: Mapping[str, object] = MappingProxyType({}),
    *,
    config: Path | None = None,
    environ: Mapping[str, str] = os.environ,
    directory: Path | None = None,
) -> Loaded:
    """Defaults, then the file, then the environment, then `options` (by key; None is "not given").

    Raises Misconfigured with one sentence that names the setting, its value and what is accepted.
    """
    declared = all_declared()
    path = find_file(environ, config, _usual_places(directory or Path.cwd()))
    given = from_file(path, declared) if path else {}
    given |= from_environment(environ, declared)
    given |= from_options(options, declared)

    values: dict[str, dict[str, Any]] = {section.name: {} for section in fields(Settings)}
    for each in declared:
        if each.setting.env in given:
            values[each.section][each.field] = _value(given[each.setting.env], each)
    ignored = {name: why for name, why in WITHOUT_EFFECT.items() if environ.get(name)}
    return Loaded(_assemble(values), MappingProxyType(given), MappingProxyType(ignored))


def all_declared() -> list[DeclaredSetting]:
    """Every setting, package by package."""
    return [each for name, options in sections() for each in declared_settings(name, options)]


def sections() -> list[tuple[str, type]]:
    """The options dataclasses and the name each has in `Settings`."""
    hints = get_type_hints(Settings)
    return [(section.name, hints[section.name]) for section in fields(Settings)]


def _usual_places(directory: Path) -> list[Path]:
    return [directory / FILE_NAME, platformdirs.user_config_path("outrider") / FILE_NAME]


def _value(given: RawValue, declared: DeclaredSetting) -> Any:
    try:
        return convert(given.raw, declared)
    except (ValueError, InvalidInput) as error:
        shown = MASK if declared.setting.secret else repr(str(given.raw)[:_LONGEST_SHOWN])
        raise Misconfigured(f"{given.name} = {shown} cannot be used: {error}") from error


def _assemble(values: Mapping[str, Mapping[str, Any]]) -> Settings:
    try:
        return Settings(**{name: options(**values[name]) for name, options in sections()})
    except (ValueError, InvalidInput) as error:
        raise Misconfigured(f"these settings cannot be used: {error}") from error
