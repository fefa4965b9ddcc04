"""`python -m outrider.demo --port 8000` serves the demo site until it is interrupted."""

import argparse
import asyncio
from contextlib import suppress

from outrider.demo.server import demo_site


async def serve(port: int) -> None:
    async with demo_site(port) as site:
        print(f"The Alderford Courier is at {site.url} (Ctrl-C stops it)", flush=True)
        await asyncio.Event().wait()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m outrider.demo", description=__doc__)
    parser.add_argument("--port", type=int, default=8000, help="port to listen on; 0 takes a free one")
    with suppress(KeyboardInterrupt):
        asyncio.run(serve(parser.parse_args().port))


if __name__ == "__main__":
    main()
