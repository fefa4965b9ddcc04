"""One word, one meaning: no two modules define a class of the same name."""

import ast
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import outrider

SOURCE = Path(outrider.__file__).parent


def modules_by_class(folder: Path) -> Mapping[str, list[str]]:
    """The modules that define each class, nested classes included."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                found[node.name].append(str(path.relative_to(folder)))
    return found


def test_no_class_name_is_defined_twice():
    twice = {name: modules for name, modules in modules_by_class(SOURCE).items() if len(modules) > 1}

    assert twice == {}


def test_a_second_definition_is_found(tmp_path: Path):
    (tmp_path / "a.py").write_text("class Policy: ...\n")
    (tmp_path / "b.py").write_text("def make():\n    class Policy: ...\n")

    assert modules_by_class(tmp_path)["Policy"] == ["a.py", "b.py"]
