"""Puts a restore into words."""

from collections.abc import Sequence
from datetime import UTC, datetime

from outrider.backup.files import StoredBackup
from outrider.cli.output import console, plain
from outrider.services.operations.restore import PresentDatabase, RestoredDatabase
from outrider.wording import plural, span, when


def question(present: PresentDatabase, backup: StoredBackup) -> str:
    """What would be replaced by what."""
    manifest = backup.manifest
    if manifest is None:
        by = f"{backup.name}, which has no manifest, so its rows cannot be compared"
    else:
        contents = _contents(manifest.urls, manifest.pages)
        by = f"{backup.name} of {when(manifest.created_at, datetime.now(UTC))}, with {contents}"
    if present.is_empty:
        return f"The database is empty. Fill it with {by}?"
    return f"Replace the database, with {_contents(present.urls, present.pages)}, by {by}?"


def question_of_undo(present: PresentDatabase, kept: Sequence[str]) -> str:
    return (
        f"Replace the database, with {_contents(present.urls, present.pages)}, by {kept[0]}?" if kept else ""
    )


def show_restored(done: RestoredDatabase, *, is_undone: bool, is_forced: bool) -> None:
    verb = "Brought back" if is_undone else "Restored"
    compared = "" if done.rows is None else f", all {plural(done.rows, 'row')} as in the backup"
    contents = _contents(done.urls, done.pages)
    _say(f"{verb} {done.backup}: {contents}{compared}, in {span(done.took_s)}.")
    if done.migrations:
        _say(f"{plural(done.migrations, 'migration')} brought it to the schema of this version.")
    if done.kept_as is not None:
        _say(f"The replaced database is kept as {done.kept_as}.")
        _say("`outrider restore --undo` brings it back, `outrider restore --drop-replaced` drops it.")
    _say("Everybody has to sign in again.")
    withdrawn = done.withdrawn
    if withdrawn.disabled_users:
        _say(f"Disabled, because they were deleted after the backup: {', '.join(withdrawn.disabled_users)}.")
    if withdrawn.revoked_tokens:
        revoked = plural(len(withdrawn.revoked_tokens), "API token")
        _say(f"Revoked {revoked}: {_named(withdrawn.revoked_tokens)}.")
    if withdrawn.revoked_site_keys:
        _say(f"Revoked the keys of sites: {_named(withdrawn.revoked_site_keys)}.")
    if is_forced:
        _say("Restart every process that still runs: it remembers the replaced database.")


def show_dropped(names: Sequence[str]) -> None:
    _say(
        f"Dropped {', '.join(names)}." if names else "No restore has replaced a database that is still kept."
    )


def _contents(urls: int, pages: int) -> str:
    return f"{plural(urls, 'URL')} and {plural(pages, 'page')}"


def _named(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (", …" if len(names) > 5 else "")


def _say(sentence: str) -> None:
    console().print(plain(sentence))
