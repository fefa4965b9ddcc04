"""Every command by name, imported only when it is asked for: `outrider --help` has to be instant."""

from dataclasses import dataclass
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup


@dataclass(frozen=True, slots=True)
class Listed:
    """One line of the menu; in `module` a function of the command's name runs it, or a menu of that name."""

    module: str
    line: str
    panel: str


_CRAWL, _WATCH, _LOOK, _KEEP = "Crawl", "Watch", "Look", "Care"

COMMANDS = {
    "crawl": Listed("outrider.cli.crawl", "Crawl from one or more URLs, and watch it live.", _CRAWL),
    "watch": Listed("outrider.cli.watch", "Watch your sources: poll, fetch what is new, go on.", _CRAWL),
    "demo": Listed("outrider.cli.demo", "Crawl a small site that Outrider serves itself.", _CRAWL),
    "simulate": Listed(
        "outrider.cli.simulate", "Try a policy on a simulated web, a week in a minute.", _CRAWL
    ),
    "fetch": Listed("outrider.cli.fetch", "Fetch one URL and show everything about the answer.", _CRAWL),
    "retry": Listed("outrider.cli.retry", "Put dead URLs back in the queue.", _CRAWL),
    "source": Listed("outrider.cli.source", "Add, look at and change the sites that are watched.", _WATCH),
    "discovered": Listed(
        "outrider.cli.discovered", "Look through links that led to other sites, and watch some.", _WATCH
    ),
    "websub": Listed("outrider.cli.websub", "Listen to hubs that push what feeds publish.", _WATCH),
    "clear": Listed("outrider.cli.clear", "Take queued pages out of the queue for good.", _CRAWL),
    "why": Listed("outrider.cli.why", "Explain what happened to a URL, and what will.", _LOOK),
    "stats": Listed("outrider.cli.stats", "Count what was found, kept and left out.", _LOOK),
    "urls": Listed("outrider.cli.urls", "List URLs by what became of them.", _LOOK),
    "hosts": Listed("outrider.cli.hosts", "Show hosts, and how gently each is treated.", _LOOK),
    "robots": Listed("outrider.cli.robots", "Show a host's robots.txt and what it allows.", _LOOK),
    "export": Listed("outrider.cli.export", "Write pages, URLs or links to a file.", _LOOK),
    "doctor": Listed("outrider.cli.doctor", "Check what works on this machine, and what is missing.", _KEEP),
    "config": Listed("outrider.cli.config", "Show every setting and where its value came from.", _KEEP),
    "migrate": Listed("outrider.cli.migrate", "Bring the database to the schema of this version.", _KEEP),
    "rehash": Listed("outrider.cli.rehash", "Bring stored URLs to the spelling of this version.", _KEEP),
}


class Menu(TyperGroup):
    """Lists commands without importing them."""

    def list_commands(self, ctx: typer.Context) -> list[str]:  # type: ignore[override]
        return list(COMMANDS)

    def get_command(self, ctx: typer.Context, cmd_name: str) -> TyperCommand | None:  # type: ignore[override]
        listed = COMMANDS.get(cmd_name)
        if listed is None:
            return None
        return TyperCommand(cmd_name, help=listed.line)

    def format_commands(self, ctx: typer.Context, formatter: Any) -> None:  # type: ignore[override]
        for panel in dict.fromkeys(listed.panel for listed in COMMANDS.values()):
            with formatter.section(panel):
                formatter.write_dl(
                    [(name, each.line) for name, each in COMMANDS.items() if each.panel == panel]
                )

    def resolve_command(  # type: ignore[override]
        self, ctx: typer.Context, args: list[str]
    ) -> tuple[str | None, TyperCommand | TyperGroup | None, list[str]]:
        if args[0] in COMMANDS:
            return args[0], load(args[0]), args[1:]
        self.commands = {name: TyperCommand(name) for name in COMMANDS}  # for its "did you mean"
        return super().resolve_command(ctx, args)  # type: ignore[return-value]


class Submenu(TyperGroup):
    """A command with commands below it; options before it count as if they stood after the last of them."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        return super().parse_args(ctx, args or ["--help"])  # alone it shows its menu, as `outrider` does

    def invoke(self, ctx: typer.Context) -> Any:  # type: ignore[override]
        ctx.default_map = {name: ctx.default_map or {} for name in self.commands}
        return super().invoke(ctx)


def load(name: str) -> TyperCommand | TyperGroup:
    """Import a command."""
    found = getattr(import_module(COMMANDS[name].module), name)
    if not isinstance(found, typer.Typer):
        alone = typer.Typer(add_completion=False, rich_markup_mode=None)
        alone.command(name)(found)
        found = alone
    command = typer.main.get_command(found)
    assert isinstance(command, TyperCommand | TyperGroup)
    command.name = name
    return command
