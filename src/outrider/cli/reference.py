"""The page about the commands, written from the commands themselves."""

from typing import Any

import typer
from typer.core import TyperGroup

from outrider.cli.commands import COMMANDS, load

_HEAD = """# Commands

Generated from the commands (`make docs`). `--data DIR` and `--config FILE` may stand before or after a name.

| exit code | means |
|---|---|
| 0 | done; also after one Ctrl-C, when what was under way is finished and written |
| 1 | failed, with one sentence why; also after a second Ctrl-C |
| 2 | wrong usage, before anything happened |
"""


def reference() -> str:
    """The page as Markdown."""
    return _HEAD + "".join(_section(name) for name in COMMANDS)


def _section(name: str) -> str:
    command = load(name)
    section = f"\n## {name}\n{_help(command, name)}"
    if isinstance(command, TyperGroup):
        for below, each in command.commands.items():
            section += f"\n### {name} {below}\n{_help(each, f'{name} {below}')}"
    return section


def _help(command: Any, name: str) -> str:
    # A fixed width: the page must not depend on whose terminal wrote it.
    context = typer.Context(command, info_name=f"outrider {name}", terminal_width=100, max_content_width=100)
    return f"\n```\n{command.get_help(context).rstrip()}\n```\n"
