"""PgBouncer in transaction mode before an embedded server, where this machine has one."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.embedded import QUICK, within

from outrider.db.embedded import EmbeddedPostgres

_UNPACKED = Path(__file__).parents[2] / ".cache" / "pgbouncer"  # by scripts/obtain_pgbouncer.py
_FOUND = shutil.which("pgbouncer", path="/usr/sbin:/usr/bin:/usr/local/bin:/opt/homebrew/bin")
PROGRAM = _FOUND or next(map(str, _UNPACKED.glob("usr/sbin/pgbouncer")), None)
SERVER_CONNECTIONS = 10


@dataclass(frozen=True, slots=True)
class Pooled:
    """The way through the pooler, and the direct one."""

    dsn: str
    direct: str


@contextmanager
def pooled_server(data_dir: Path) -> Iterator[Pooled]:
    """A server whose clients share ten connections."""
    with EmbeddedPostgres(data_dir, QUICK) as server:
        folder = data_dir / "database"
        owner = folder.stat()
        program = shutil.copy(str(PROGRAM), folder / "pgbouncer")  # where the server's account may read it
        libraries = [shutil.copy(each, folder) for each in _UNPACKED.glob("usr/lib/*/*.so.*")]
        (folder / "users").write_text('"outrider" ""\n')
        (folder / "bouncer.ini").write_text(
            f"[databases]\noutrider = host={folder} port=5432 user=outrider\n"
            f"[pgbouncer]\nunix_socket_dir={folder}\nlisten_port=6432\nauth_type=trust\nauth_file={folder}/users\n"
            f"pool_mode=transaction\ndefault_pool_size={SERVER_CONNECTIONS}\nmax_client_conn=1000\n"
        )
        as_owner = {"user": owner.st_uid, "group": owner.st_gid} if os.geteuid() == 0 else {}
        environment = os.environ | ({"LD_LIBRARY_PATH": str(folder)} if libraries else {})
        pooler = subprocess.Popen(
            [program, "-q", folder / "bouncer.ini"], cwd="/", env=environment, **as_owner
        )
        try:
            assert within(10, (folder / ".s.PGSQL.6432").exists)
            yield Pooled(server.dsn.replace("port=5432", "port=6432"), server.dsn)
        finally:
            pooler.terminate()
            pooler.wait(timeout=10)
