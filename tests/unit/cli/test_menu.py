"""The menu lists commands without importing them, so it has to be told what they are."""

import subprocess
import sys

import pytest

from outrider.cli.commands import COMMANDS, load
from outrider.cli.main import run


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_describes_itself_as_the_menu_does(name):
    command = load(name)

    assert (command.help or "").startswith(COMMANDS[name].text.rstrip("."))


def test_the_menu_imports_neither_rich_nor_any_engine():
    script = "import sys; from outrider.cli.main import run; run(['--help']); print(*sys.modules)"
    modules = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout

    assert not {"rich", "asyncpg", "aiohttp", "outrider.settings"} & set(modules.split())


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["crwl"], 2, "Did you mean 'crawl'"),
        (["crawl", "--dept", "3"], 2, "--depth"),
        (["crawl", "--recrawl", "soon", "https://example.com"], 2, "is not a duration"),
        (["crawl", "--scope", "galaxy", "https://example.com"], 2, "host"),
        (["migrate", "--down"], 2, "--down needs a version"),
    ],
)
def test_wrong_usage_is_one_sentence(capsys, arguments, code, told):
    assert run(arguments) == code

    out, err = capsys.readouterr()
    assert out == ""
    assert told in err
    assert err.startswith("outrider: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("menu", ["source", "discovered"])
def test_a_menu_below_the_menu_shows_itself_when_nothing_is_chosen(menu, capsys):
    assert run([menu]) == 0

    out, err = capsys.readouterr()
    assert out.startswith(f"Usage: outrider {menu}")
    assert out.count("\n") > 8, "one command a line"
    assert err == ""


def test_the_version(capsys):
    assert run(["--version"]) == 0
    assert capsys.readouterr().out.startswith("outrider ")


@pytest.mark.parametrize(
    ("written", "offered"),
    [
        ("outrider cra", ["crawl"]),
        ("outrider export ", ["pages", "urls", "links"]),
        ("outrider source a", ["add"]),
    ],
)
def test_a_shell_completes_commands_that_are_imported_only_then(monkeypatch, capsys, written, offered):
    monkeypatch.setenv("_OUTRIDER_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", written)
    monkeypatch.setenv("COMP_CWORD", str(written.count(" ")))

    with pytest.raises(SystemExit):
        run([])

    assert capsys.readouterr().out.split() == offered


def test_a_cancel_starts_without_what_only_workers_need():
    """Each of these takes up to a quarter of a second before the run hears of its cancel."""
    script = "import sys; from outrider.cli.commands import load; load('run'); print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout.split()

    assert "outrider.services.runs.runs" in loaded
    heavy = {"numpy", "aiohttp", "redis", "obstore", "pyarrow", "selectolax", "fastapi", "outrider.app"}
    heavy |= {
        "outrider.extract",
        "outrider.feeds.feed",
        "outrider.fetch.client",
        "outrider.services.runs.logs",
    }
    assert heavy & set(loaded) == set()
