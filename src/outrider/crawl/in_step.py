"""Lanes do the steps of a visit together, which keeps the code of a step in the caches of the processor.

One page after another, client, scan, judgement and request push each other out of the caches. Step by step
for the dozen pages that are at hand, each is loaded once. A page costs 4 to 24 % less CPU that way, the more
the more other programs use the caches (docs/performance-notebook.md).
"""

import asyncio


async def in_step() -> None:
    """Let the other lanes do the step that this one has done before it begins its next step."""
    await asyncio.sleep(0)
