"""Other processes that use an embedded server, to be killed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from outrider.errors import OutriderError

NOBODY = 65534
QUICK = {"fsync": "off", "shared_buffers": "16MB"}

_USER = """
import sys
from pathlib import Path
from outrider.db.embedded import EmbeddedPostgres

server = EmbeddedPostgres(Path(sys.argv[1]), {"fsync": "off", "shared_buffers": "16MB"})
print(server.start(), flush=True)
sys.stdin.read()
server.release()
"""


@dataclass(frozen=True, slots=True)
class User:
    """A process with a lease; it leaves when told to, or is killed."""

    process: subprocess.Popen[str]

    @classmethod
    def arrive(cls, root: Path) -> "User":
        command = [sys.executable, "-c", _USER, str(root)]
        pipe = subprocess.PIPE
        return cls(subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, start_new_session=True))

    def dsn(self) -> str:
        """What it was told; waits until it has its lease."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def leave(self) -> None:
        self.process.communicate(timeout=30)

    def die(self, by: signal.Signals = signal.SIGKILL) -> None:
        """Signal its whole process group, as a terminal does."""
        os.killpg(self.process.pid, by)
        self.process.communicate(timeout=30)


@contextmanager
def users(root: Path, count: int) -> Iterator[list[User]]:
    """So many processes, all arriving at once; gone afterwards."""
    arrived = [User.arrive(root) for _ in range(count)]
    try:
        yield arrived
    finally:
        for user in arrived:
            if user.process.poll() is None:
                user.die()


def within(seconds: float, holds: Callable[[], bool]) -> bool:
    """Wait until `holds()`, at most this long; says whether it does."""
    give_up_at = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > give_up_at:
            return False
        time.sleep(0.01)
    return True


def run_as_nobody(action: Callable[[], object]) -> str:
    """The sentence that `action` ends with when a user without any rights runs it; "" when there is none."""
    reader, writer = os.pipe()
    if (child := os.fork()) == 0:
        sentence = "it ended in something other than a sentence"
        try:
            if os.geteuid() == 0:
                os.setgroups([])
                os.setgid(NOBODY)
                os.setuid(NOBODY)
            action()
            sentence = ""
        except OutriderError as error:
            sentence = f"{type(error).__name__}: {error}"
        finally:
            os.write(writer, sentence.encode())
            os._exit(0)
    os.close(writer)
    os.waitpid(child, 0)
    with os.fdopen(reader) as told:
        return told.read()
