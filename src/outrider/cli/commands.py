"""Every command by name. A command is imported only when it is used, so that `outrider --help` is fast."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from outrider.cli.plain_values import PlainCommand, PlainGroup
from outrider.cli.wrong_words import right_command
from outrider.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class MenuLine:
    """A command of the menu; `module` has a function or a submenu with the name of the command."""

    module: str  # in this package
    text: str
    panel: str


_CRAWL, _WATCH, _OWN, _LOOK, _KEEP = "Crawl", "Watch", "Own sites", "Look", "Care"

COMMANDS = {
    "serve": MenuLine("serve.command", "Run the API, the scheduler and the workers.", _CRAWL),
    "crawl": MenuLine("crawl.command", "Crawl from one or more URLs, and watch it live.", _CRAWL),
    "watch": MenuLine("watch.command", "Watch your sources: poll them and fetch new pages.", _CRAWL),
    "demo": MenuLine("demo.command", "Crawl a small site that Outrider serves itself.", _CRAWL),
    "simulate": MenuLine("simulate.command", "Try a policy on a simulated web, a week in a minute.", _CRAWL),
    "fetch": MenuLine("fetch.command", "Fetch one URL and show everything about the answer.", _CRAWL),
    "check": MenuLine("check.command", "Check links: are they ok, moved, dead or uncertain?", _CRAWL),
    "add": MenuLine("add", "Queue URLs.", _CRAWL),
    "retry": MenuLine("retry", "Put dead URLs back in the queue.", _CRAWL),
    "source": MenuLine("source.command", "Add, show and change the watched sites.", _WATCH),
    "run": MenuLine("run.command", "List, show, follow and cancel runs of crawls and jobs.", _WATCH),
    "job": MenuLine("job.command", "List, add, change and run the jobs of sources.", _WATCH),
    "scheduler": MenuLine("scheduler.command", "Run the scheduler alone, or show its state.", _WATCH),
    "discovered": MenuLine(
        "discovered.command", "List links to other sites, and watch some of them.", _WATCH
    ),
    "websub": MenuLine("websub.command", "Receive pushes from WebSub hubs.", _WATCH),
    "site": MenuLine("site.command", "Keep sites that you own: pages, keys, broken URLs.", _OWN),
    "redirect": MenuLine("redirect.command", "List, add, change and export redirects of your sites.", _OWN),
    "link": MenuLine("link.command", "List, check, ignore and replace links of your sites.", _OWN),
    "clear": MenuLine("clear", "Remove queued pages from the queue.", _CRAWL),
    "why": MenuLine("why.command", "Explain what happened to a URL and what happens next.", _LOOK),
    "stats": MenuLine("stats", "Show counts of URLs, pages and skipped links.", _LOOK),
    "urls": MenuLine("urls.command", "List URLs by state and result.", _LOOK),
    "alerts": MenuLine("alerts", "List what needs a person, now and lately.", _LOOK),
    "workers": MenuLine("workers", "List worker processes, what they do and their health.", _LOOK),
    "hosts": MenuLine("hosts.command", "Show hosts, their delays and their state.", _LOOK),
    "robots": MenuLine("robots.command", "Show a host's robots.txt and what it allows.", _LOOK),
    "versions": MenuLine("versions.command", "List the versions of a page, or write the text of one.", _LOOK),
    "diff": MenuLine("versions.diff", "Show what changed on a page.", _LOOK),
    "export": MenuLine("export", "Write pages, URLs or links to a file.", _LOOK),
    "user": MenuLine("user.command", "Add, list and change the people who may sign in.", _KEEP),
    "token": MenuLine("token.command", "Create, list and revoke API tokens of programs.", _KEEP),
    "doctor": MenuLine("doctor.command", "Check what works on this machine, and what is missing.", _KEEP),
    "config": MenuLine("config", "Show every setting and where its value came from.", _KEEP),
    "migrate": MenuLine("migrate", "Bring the database to the schema of this version.", _KEEP),
    "backup": MenuLine("backup.command", "Write, list and verify backups of the database.", _KEEP),
    "restore": MenuLine("restore.command", "Replace the database by a backup.", _KEEP),
    "rebuild-visited": MenuLine("rebuild_visited", "Rebuild the set of visited URLs in Redis.", _KEEP),
    "rehash": MenuLine("rehash", "Bring stored URLs to the spelling of this version.", _KEEP),
}


class Menu(PlainGroup):
    """Lists commands without importing them."""

    def list_commands(self, ctx: typer.Context) -> list[str]:  # type: ignore[override]
        return list(COMMANDS)

    def get_command(self, ctx: typer.Context, cmd_name: str) -> TyperCommand | None:  # type: ignore[override]
        line = COMMANDS.get(cmd_name)
        if line is None:
            return None
        return TyperCommand(cmd_name, help=line.text)

    def format_commands(self, ctx: typer.Context, formatter: Any) -> None:  # type: ignore[override]
        for panel in dict.fromkeys(line.panel for line in COMMANDS.values()):
            with formatter.section(panel):
                formatter.write_dl(
                    [(name, line.text) for name, line in COMMANDS.items() if line.panel == panel]
                )

    def resolve_command(  # type: ignore[override]
        self, ctx: typer.Context, args: list[str]
    ) -> tuple[str | None, TyperCommand | TyperGroup | None, list[str]]:
        if args[0] in COMMANDS:
            if len(args) > 1 and (meant := right_command(args[0], args[1])):
                raise InvalidInput(f"there is no `outrider {args[0]} {args[1]}`: `{meant}` does that")
            return args[0], load(args[0]), args[1:]
        self.commands = {name: TyperCommand(name) for name in COMMANDS}  # for its "did you mean"
        return super().resolve_command(ctx, args)  # type: ignore[return-value]


class Submenu(PlainGroup):
    """A command with subcommands; options before a subcommand apply to it."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        # Without a subcommand it shows its menu, as `outrider` does, unless it does something itself.
        return super().parse_args(ctx, args or ([] if self.invoke_without_command else ["--help"]))

    def invoke(self, ctx: typer.Context) -> Any:  # type: ignore[override]
        given = {name: value for name, value in ctx.params.items() if value}
        ctx.default_map = {name: {**(ctx.default_map or {}), **given} for name in self.commands}
        return super().invoke(ctx)


def submenu(
    name: str, commands: Mapping[str, Callable[..., None]], alone: Callable[..., None] | None = None
) -> typer.Typer:
    """The subcommands of a command. `alone` is what the command does without a subcommand."""
    menu = typer.Typer(cls=Submenu, help=COMMANDS[name].text, rich_markup_mode=None, add_completion=False)
    if alone is not None:
        menu.callback(invoke_without_command=True, help=alone.__doc__)(alone)
    for each, command in commands.items():
        menu.command(each, cls=PlainCommand)(command)
    return menu


def load(name: str) -> TyperCommand | TyperGroup:
    """Import a command."""
    found = getattr(import_module(f"outrider.cli.{COMMANDS[name].module}"), name.replace("-", "_"))
    if not isinstance(found, typer.Typer):
        alone = typer.Typer(add_completion=False, rich_markup_mode=None)
        alone.command(name, cls=PlainCommand)(found)
        found = alone
    command = typer.main.get_command(found)
    assert isinstance(command, TyperCommand | TyperGroup)
    command.name = name
    return command
