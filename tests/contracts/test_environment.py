"""The environment is read in `settings/`, so that a value has one way in and can be shown with its origin."""

import ast
from pathlib import Path

import outrider

SOURCE = Path(outrider.__file__).parent

# Each of these reads or changes the environment outside of `settings/`, and says why.
EXCEPTIONS = {
    "db/account.py": "PG_OS_USER names the user of the embedded server, which also starts where no settings "
    "are loaded; and PostgreSQL's tools get our environment without the variables that would redirect them",
    "db/binaries.py": "PG_BINDIR names the programs of the embedded server, for the same reason",
    "db/embedded.py": "the keeper of the server is a child process and gets our environment",
    "supervision/fork_server.py": "a child process must not print a warning that says nothing, and libraries "
    "of a process that forks must start no thread",
    "web/platform.py": "PROMETHEUS_MULTIPROC_DIR tells the processes of the API where they count together",
}
NAMES = {"environ", "environb", "getenv", "getenvb", "putenv", "unsetenv"}


def touches_environment(text: str) -> bool:
    """Does a module use one of these names of `os`, however it is imported?"""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Attribute(value=ast.Name(id="os"), attr=name) if name in NAMES:
                return True
            case ast.ImportFrom(module="os", names=names) if NAMES & {alias.name for alias in names}:
                return True
    return False


def test_only_settings_reads_the_environment():
    found = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        if touches_environment(path.read_text(encoding="utf-8"))
    }
    elsewhere = {name for name in found if not name.startswith("settings/")}

    assert elsewhere - EXCEPTIONS.keys() == set(), "declare a setting in the package's options.py instead"
    assert EXCEPTIONS.keys() - elsewhere == set(), "this exception is not needed any more"
    assert found - elsewhere, "this test looks in the wrong place"


def test_every_way_to_the_environment_is_seen():
    for text in ("import os\nos.environ['A']", "import os\nx = os.getenv('A')", "from os import environ"):
        assert touches_environment(text)
    assert not touches_environment("import os\nos.getpid()")
