"""What the docs tell people to type exists, and what they point to is there."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.core import TyperGroup

from outrider.cli.commands import COMMANDS, load
from outrider.cli.main import app

ROOT = Path(__file__).parents[2]
HISTORY = ROOT / "CHANGELOG.md"  # may name what is gone
PAGES = sorted({*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")} - {HISTORY})
_BLOCK = re.compile(r"^```\w*\n(.*?)^```|((?:^    .*\n)+)", re.M | re.S)
_INLINE = re.compile(r"`([^`\n]+)`")
_REMARK = re.compile(r"\s{2,}|\s#")  # two blanks or more set what is typed apart from what is said about it
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_TARGET = re.compile(r"^([a-z-]+):", re.M)
_EVERYWHERE = {"--help", "-h", "--data", "--config"}
SOURCE = ROOT / "src" / "outrider"
ARCHITECTURE = ROOT / "docs" / "explain" / "architecture.md"
_FILE = re.compile(r"`(?:src/outrider/)?((?:\w+/)*\w+\.(?:py|sql|lua)|(?:\w+/)+)`")


def snippets(page: Path) -> Iterator[str]:
    """Whatever the page shows as typed, without remarks and output."""
    text = page.read_text(encoding="utf-8")
    blocks = ["".join(found) for found in _BLOCK.findall(text)]
    lines = [line for block in blocks for line in block.splitlines()]
    for line in (*lines, *_INLINE.findall(_BLOCK.sub("", text))):
        yield _REMARK.split(line.strip())[0].removeprefix(".venv/bin/")


def wrong_with(line: str) -> str | None:
    """What an `outrider` of today would not understand in a command line."""
    words = shlex.split(line.replace("…", ""))[1:]
    if not words or words[0].isupper():
        return None
    name, command = "outrider", typer.main.get_command(app)
    if not words[0].startswith("-"):
        name, *words = words
        if name not in COMMANDS:
            return f"there is no command {name}"
        command = load(name)
    if isinstance(command, TyperGroup) and words and not words[0].startswith("-"):
        name, *words = words
        if name not in command.commands:
            return f"there is no command {name}"
        command = command.commands[name]  # type: ignore[assignment]
    known = {option for each in command.params for option in (*each.opts, *each.secondary_opts)} | _EVERYWHERE
    said = {word.split("=")[0] for word in words if re.match(r"--?[a-z]", word)}
    return f"{name} has no {', '.join(sorted(said - known))}" if said - known else None


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_in_the_docs_exists_with_its_options(page: Path) -> None:
    typed = [line for line in snippets(page) if line.startswith("outrider ")]

    assert {line: wrong for line in typed if (wrong := wrong_with(line))} == {}


def test_every_make_target_in_the_docs_exists() -> None:
    targets = set(_TARGET.findall((ROOT / "Makefile").read_text()))
    typed = {line for page in PAGES for line in snippets(page) if re.match(r"make [a-z]", line)}

    assert typed
    assert {line for line in typed if line.split()[1] not in targets} == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_in_the_docs_leads_somewhere(page: Path) -> None:
    links = [link for link in _LINK.findall(page.read_text(encoding="utf-8")) if "://" not in link]
    broken = [link for link in links if not _leads_somewhere(page, link)]

    assert broken == []


def files_named(text: str) -> list[str]:
    """The files and folders of src/outrider that a page names, as paths below src/outrider."""
    return _FILE.findall(text)


def test_every_file_that_the_architecture_page_names_exists() -> None:
    named = files_named(ARCHITECTURE.read_text(encoding="utf-8"))

    assert len(named) > 30
    assert [name for name in named if not (SOURCE / name).exists()] == []


def test_the_architecture_page_names_every_room() -> None:
    rooms = {each.parent.name for each in SOURCE.glob("*/__init__.py")}
    named = {name.strip("/") for name in files_named(ARCHITECTURE.read_text(encoding="utf-8"))}

    assert rooms - named == set()


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("see `crawl/visit.py`", ["crawl/visit.py"]),
        ("see `src/outrider/frontier/sql/claim.sql`", ["frontier/sql/claim.sql"]),
        ("the room `worker_registry/` and `app.py`", ["worker_registry/", "app.py"]),
        ("`outrider.toml`, `make lint` and `now`", []),
    ],
)
def test_files_are_distinguished_from_other_words(text: str, named: list[str]) -> None:
    assert files_named(text) == named


def _leads_somewhere(page: Path, link: str) -> bool:
    name, _, heading = link.partition("#")
    target = page.parent / name if name else page
    if not target.exists():
        return False
    return not heading or heading in map(_anchor, re.findall(r"^#+ (.+)$", target.read_text("utf-8"), re.M))


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("outrider crawl https://example.com --max-pages 100", None),
        ("outrider crawl https://example.com --max-pagez 100", "crawl has no --max-pagez"),
        ("outrider source add https://example.com --mode=both", None),
        ("outrider source adopt https://example.com", "there is no command adopt"),
        ("outrider crowl", "there is no command crowl"),
        ("outrider --version", None),
        ("outrider --versoin", "outrider has no --versoin"),
    ],
)
def test_a_command_that_does_not_exist_is_noticed(line: str, wrong: str | None) -> None:
    assert wrong_with(line) == wrong
