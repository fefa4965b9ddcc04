"""Wrong usage of the commands that look around: exit code 2 and one sentence, before anything is opened."""

import pytest

from outrider.cli.commands import COMMANDS
from outrider.cli.main import run
from outrider.cli.wrong_words import RIGHT_COMMANDS


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["crawl", "not-a-url"], "it has no scheme; give a web address such as https://example.com/"),
        (["crawl", "http://a.test/", "--scope", "planet"], "'--scope': 'planet' is not one of 'host'"),
        (["crawl", "http://a.test/", "--depth", "-2"], "--depth"),
        (["crawl", "http://a.test/", "--max-pages", "0"], "--max-pages"),
        (["crawl", "http://a.test/", "--output", "-"], "name a file with --output"),
        (["fetch", "not-a-url"], "it has no scheme"),
        (["fetch", "file:///etc/passwd"], "file is not http or https"),
        (["fetch", "http://user:secret@example.com/"], "it carries credentials"),
        (["fetch", "http://a.test/", "--timeout", "0"], "--timeout"),
        (["fetch"], "Missing argument 'URL'"),
        (["why", "not-a-url"], "it has no scheme"),
        (["export", "everything"], "'everything' is not one of 'pages', 'urls', 'links'"),
        (["export", "pages", "--format", "xml"], "'xml' is not one of 'jsonl', 'csv', 'parquet'"),
        (["export", "pages", "--since", "yesterday"], "neither a time"),
        (["hosts", "--unblock"], "name the host"),
        (["hosts", "a.test", "--unblock", "--reset"], "choose one of"),
        (["hosts", "a.test", "--block", " "], "give a reason for the block"),
        (["hosts", "a.test", "--delay", "soon"], "--delay is a number of seconds"),
        (["hosts", "a.test", "--delay", "nan"], "--delay is a number of seconds"),
        (["hosts", "http://"], "cannot be crawled"),
        (["robots", "http://["], "cannot be crawled"),
        (["hosts", "list"], "there is no `outrider hosts list`: `outrider hosts` does that"),
        (["hosts", "block"], "`outrider hosts HOST --block REASON` does that"),
        (["urls", "list"], "`outrider urls` does that"),
        (["websub"], "OUTRIDER_WEBSUB_CALLBACK names no public address"),
        (["retry"], "name the URLs to retry"),
        (["retry", "http://a.test/", "--dead", "gone"], "name the URLs to retry"),
        (["retry", "http://a.test/", "--host", "a.test"], "--host needs --dead"),
    ],
)
def test_wrong_usage_is_one_sentence(arguments, said, capsys):
    code = run(arguments)

    heard = capsys.readouterr()
    assert code == 2
    assert said in heard.err
    assert heard.err.count("\n") == 1
    assert heard.out == ""


@pytest.mark.parametrize("command", [["why", "http://a.test/"], ["stats"], ["hosts"], ["robots", "a.test"]])
def test_where_nothing_was_crawled_yet_a_look_creates_nothing(command, tmp_path, capsys):
    code = run([*command, "--data", str(tmp_path / "none")])

    assert code == 1
    assert "there is no crawl in" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_every_suggested_command_exists():
    suggested = {meant.split()[1] for words in RIGHT_COMMANDS.values() for meant in words.values()}

    assert suggested <= COMMANDS.keys()
    assert RIGHT_COMMANDS.keys() <= COMMANDS.keys()


@pytest.mark.parametrize("command", ["migrate", "rehash"])
def test_what_holds_a_lock_for_long_does_not_go_through_a_pooler(command, monkeypatch, capsys):
    monkeypatch.setenv("OUTRIDER_DATABASE_URL", "postgresql://127.0.0.1:9/x")
    monkeypatch.setenv("OUTRIDER_DATABASE_POOLER", "true")

    assert run([command]) == 1
    assert f"`outrider {command}` needs a direct connection and no pooler" in capsys.readouterr().err
