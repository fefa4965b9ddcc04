"""Imports point down: the layers in pyproject.toml hold."""

from pathlib import Path

from importlinter.cli import lint_imports

ROOT = Path(__file__).parents[2]


def test_imports_point_down(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)

    failed = lint_imports(config_filename="pyproject.toml", cache_dir=None)

    assert not failed, capsys.readouterr().out
