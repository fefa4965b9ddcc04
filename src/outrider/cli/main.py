"""The `outrider` command: its menu, its global options and its exit codes."""

import signal
import sys
import traceback
from typing import Annotated

import typer

from outrider import __version__
from outrider.cli import streams
from outrider.cli.commands import COMMANDS, Menu
from outrider.cli.options import Config, Data
from outrider.cli.output import say
from outrider.errors import InvalidInput, InvalidUrl, OutriderError
from outrider.garbage_collection import skip_all_objects

FAILED, WRONG_USAGE = 1, 2
INTERRUPTED = 130  # Typer's word for a KeyboardInterrupt

app = typer.Typer(
    cls=Menu,
    help="A polite, durable web crawler.",
    epilog="`outrider COMMAND --help` tells more about each.",
    rich_markup_mode=None,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"outrider {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _outrider(
    context: typer.Context,
    data: Data = None,
    config: Config = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    given = {name: value for name, value in (("data", data), ("config", config)) if value is not None}
    # Options before the command apply to the command.
    context.default_map = {name: dict(given) for name in COMMANDS}
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main() -> None:
    """Run the command. Every error is one sentence; `OUTRIDER_LOG_LEVEL=debug` adds the traceback."""
    streams.set_up()
    code = run(sys.argv[1:])
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # the exit code is known; a Ctrl-C during the exit changes nothing
    skip_all_objects()
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """The exit code: 0 done, 1 failed, 2 wrong usage."""
    try:
        code = typer.main.get_command(app)(arguments, prog_name="outrider", standalone_mode=False)
        streams.finish_answer()
        return FAILED if code == INTERRUPTED else code if isinstance(code, int) else 0
    except typer.TyperException as error:
        say(_usage(error))
        return WRONG_USAGE
    except streams.Unwritable as error:
        streams.drop_answer()
        say(str(error))
        return FAILED
    except OutriderError as error:
        _trace(error)
        say(
            f"{error}; give a web address such as https://example.com/"
            if isinstance(error, InvalidUrl)
            else str(error)
        )
        return WRONG_USAGE if isinstance(error, InvalidInput) else FAILED
    except typer.Abort:  # a question without an answer
        say("not confirmed, so nothing was done; use --yes to skip this question")
        return FAILED
    except BrokenPipeError:  # the reader closed the pipe
        streams.drop_answer()
        return FAILED
    except Exception as error:
        _trace(error)
        say(f"unexpected {type(error).__name__}: {error} (OUTRIDER_LOG_LEVEL=debug shows where)")
        return FAILED


def _usage(error: typer.TyperException) -> str:
    command = getattr(getattr(error, "ctx", None), "command_path", "outrider")
    told = (
        error.format_message().replace("Value error, ", "").rstrip(".")
    )  # pydantic's word for a wrong choice
    return f"{told} (see `{command} --help`)"


def _trace(error: BaseException) -> None:
    # Importing the settings of all packages is slow, and most commands do not need them here.
    from outrider.settings.tracing import shows_traces

    if shows_traces():
        traceback.print_exception(error)
