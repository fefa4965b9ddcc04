"""`outrider rehash`: normalise stored URLs by the rules of this version."""

from typing import Annotated

import typer

from outrider.cli.database import need_direct_connection
from outrider.cli.options import Config, Data, Json
from outrider.cli.output import console, plain, print_json
from outrider.cli.running import load_settings
from outrider.cli.use_case import call
from outrider.services.as_json import as_json
from outrider.services.urls.rehash import RehashReport, rehash_urls
from outrider.urls import RULES_VERSION
from outrider.wording import count, plural


def rehash(
    again: Annotated[
        bool, typer.Option("--again", help="Also if only the rules of a source have changed.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only print what would change.")] = False,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Bring stored URLs to the spelling of this version.

    Needed after an upgrade that changes how URLs are normalised, and after a source got other rules for its
    slashes or query parameters; commands say so. URLs that become equal are merged with their history and
    documents. Stop crawls first. After an interruption the same command continues.
    """
    loaded = load_settings(config, data=data)
    need_direct_connection(loaded, "rehash")
    done = call(loaded, lambda db: rehash_urls(db, again=again, dry_run=dry_run), any_rules=True)
    if json:
        print_json(as_json(done))
    elif done.from_version == done.to_version and not done.resumed and not again:
        console().print(plain(f"The URLs here are spelt by rules {RULES_VERSION}, those of this Outrider."))
    else:
        console().print(plain(_in_words(done)))


def _in_words(done: RehashReport) -> str:
    verb = "would get" if done.dry_run else "got"
    rules = f"From rules {done.from_version} to {done.to_version}"
    said = f"{rules}: {plural(done.respelt, 'URL')} {verb} a new spelling."
    if done.resumed:
        said = f"Continued an interrupted run. {said}"
    if done.merged:
        said += f" {count(done.merged)} of them were merged with another URL."
    if done.refused:
        said += f" {plural(done.refused, 'address')} left unchanged: not valid by these rules."
    return said
