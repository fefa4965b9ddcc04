"""`outrider config`: every setting, its value and its origin."""

from typing import Annotated

import typer

from outrider.cli.options import Config, Data, Json
from outrider.cli.output import plain, print_json, show, table
from outrider.cli.running import load_settings
from outrider.settings import Loaded, SettingValue

DEFAULT = "default"


def config(
    all_settings: Annotated[bool, typer.Option("--all", help="Also show settings at their default.")] = False,
    data: Data = None,
    config: Config = None,
    json: Json = False,
) -> None:
    """Show every setting and where its value came from.

    Without --all only settings with a value of your own are listed. Secrets are masked.
    """
    loaded = load_settings(config, data=data)
    choices = list(loaded.choices())
    if json:
        print_json(_as_data(choices, loaded))
        return
    chosen = choices if all_settings else [choice for choice in choices if choice.origin != DEFAULT]
    if chosen:
        listed = table(("setting", "value", "from"), map(_row, chosen))
        listed.columns[0].no_wrap = True
        show(listed)
    untouched = len(choices) - len(chosen)
    if untouched:
        print(f"{untouched} settings are at their default; `outrider config --all` shows them.")
    for name, why in loaded.ignored.items():
        print(f"{name} is set and has no effect: {why}")


def _row(choice: SettingValue) -> tuple[object, ...]:
    hue = "" if choice.origin == DEFAULT else "bold"
    return plain(choice.name, hue), plain(choice.value, hue), plain(choice.origin, "dim")


def _as_data(choices: list[SettingValue], loaded: Loaded) -> dict[str, object]:
    return {
        "settings": {
            choice.name: {"value": choice.value, "from": choice.origin, "help": choice.help}
            for choice in choices
        },
        "ignored": dict(loaded.ignored),
    }
