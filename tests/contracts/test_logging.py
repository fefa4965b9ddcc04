"""Every line of a log goes through `outrider.logs`, which masks secrets and leaves out bodies."""

import ast
from pathlib import Path

import outrider

SOURCE = Path(outrider.__file__).parent
LIBRARIES = {"structlog", "logging"}


def imports_a_logger(text: str) -> bool:
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Import(names=names) if LIBRARIES & {alias.name.split(".")[0] for alias in names}:
                return True
            case ast.ImportFrom(module=str(module), level=0) if module.split(".")[0] in LIBRARIES:
                return True
    return False


def test_only_logs_imports_a_logging_library():
    found = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        if imports_a_logger(path.read_text(encoding="utf-8"))
    }

    assert found == {"logs.py"}, "use `from outrider.logs import get_logger`"


def test_every_way_to_import_one_is_seen():
    for text in ("import structlog", "import logging.handlers", "from structlog import get_logger"):
        assert imports_a_logger(text)
    assert not imports_a_logger("from outrider.logs import get_logger")
