"""The compiled scan: the same as the reference, and no access out of bounds, whatever the bytes."""

import atexit
import struct
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from tests.fuzz.subject import Check

from outrider.extract.model import Scan
from outrider.extract.native.build import SANITIZERS, NoCompiler, build_program, compiler
from outrider.extract.scan import reference_scan, scan
from outrider.extract.similarity.reference_signature import reference_signature
from outrider.extract.similarity.signature import signature

URL = "https://example.com/a/b"
UTF8 = "text/html; charset=utf-8"
SERVER = Path(__file__).with_name("scan_server.c")


def differ(name: str, one: Scan, other: Scan) -> bool:
    return bool(getattr(one, name) != getattr(other, name))


def check_same(data: bytes) -> None:
    read, wanted = scan(data, URL, UTF8), reference_scan(data, URL, UTF8)
    others = [name for name in read._fields if differ(name, read, wanted)]
    assert not others, f"{', '.join(others)} other than by the reference"
    assert signature(read.text) == reference_signature(read.text)


@cache
def sanitized_server() -> Path | None:
    """The program that scans with sanitizers, built once a process; None where there is no compiler."""
    try:
        command = compiler()
    except NoCompiler:
        return None
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    program = Path(folder.name) / "scan_server"
    build_program(program, SERVER, command, SANITIZERS)
    return program


@contextmanager
def checking() -> Iterator[Check]:
    """Compares with the reference and, where there is a compiler, runs the code with sanitizers."""
    program = sanitized_server()
    if program is None:
        yield check_same
        return
    with subprocess.Popen(
        [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as server:
        assert server.stdin
        assert server.stdout
        assert server.stderr
        requests, answers, errors = server.stdin, server.stdout, server.stderr

        def check(data: bytes) -> None:
            requests.write(struct.pack("=I", len(data)) + data)
            requests.flush()
            assert answers.read(1), errors.read().decode(errors="replace")
            check_same(data)

        yield check
        if server.poll() is None:  # else a check has said so
            requests.close()
            assert server.wait() == 0, errors.read().decode(errors="replace")
