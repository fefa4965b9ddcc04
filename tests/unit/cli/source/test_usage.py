"""What `outrider source` says before it touches anything."""

import io

import pytest

from outrider.cli.main import run


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["add", "nowhere"], "'nowhere' is no web address"),
        (["add", "a.test", "--mode", "often", "--poll", "x"], "mode: 'often' is none of them"),
        (["add", "a.test", "--selectors", "missing.json"], "missing.json cannot be read"),
        (["edit", "A"], "name the fields to change"),
        (["edit", "A", "--dpeth", "3"], "--dpeth"),
        (["import", "missing.csv"], "missing.csv cannot be read"),
        (["disable", "A"], "--reason"),
        (["disable", "A", "--reason", " "], "give a --reason"),
        (["shwo", "A"], "shwo"),
    ],
)
def test_wrong_usage_is_one_sentence(capsys, arguments, why):
    code = run(["source", *arguments])

    said = capsys.readouterr().err
    assert code == 2
    assert why in said
    assert said.count("\n") == 1


def test_an_option_before_the_command_counts_as_if_it_stood_at_the_end(capsys, monkeypatch, tmp_path):
    monkeypatch.delenv("OUTRIDER_DATABASE_URL", raising=False)

    assert run(["--data", str(tmp_path / "here"), "source", "show", "A"]) == 1
    assert f"there is no crawl in {tmp_path / 'here'} yet" in capsys.readouterr().err


def test_a_question_that_nobody_answers_is_a_no(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(""))

    assert run(["source", "remove", "A"]) == 1
    assert "not confirmed, so nothing was done" in capsys.readouterr().err
