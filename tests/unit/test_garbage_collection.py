"""A long-lived process does not look at the objects of its start again, and still frees cycles."""

import asyncio
import subprocess
import sys

AFTER_START = """
import gc
import weakref

from outrider.garbage_collection import skip_startup_objects


class Node:
    pass


def cycle():
    node = Node()
    node.itself = node
    return weakref.ref(node)


garbage = cycle()
routes = [Node()]
skip_startup_objects()
print(garbage() is None, any(each is routes for each in gc.get_objects()))
later = cycle()
held = [[] for _ in range(1_000_000)]
print(later() is None)
"""

SERVE = """
import asyncio
import gc
import socket

from outrider.settings import load
from outrider.web.process import ApiServer, server_config


async def app(scope, receive, send):
    pass


server = ApiServer(server_config(app, load({}, config=None).settings))
server.should_exit = True
asyncio.run(server.serve_process([socket.create_server(("127.0.0.1", 0))]))
print(any(each is app.__dict__ for each in gc.get_objects()), gc.get_freeze_count() > 10_000)
"""


async def output_of(program: str) -> list[str]:
    done = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return done.stdout.split()


async def test_objects_of_the_start_are_skipped_and_later_cycles_are_freed():
    garbage_is_gone, routes_are_looked_at, later_is_gone = await output_of(AFTER_START)

    assert garbage_is_gone == "True"
    assert routes_are_looked_at == "False"
    assert later_is_gone == "True"


async def test_a_process_of_the_api_skips_the_objects_of_its_start():
    assert await output_of(SERVE) == ["False", "True"]
