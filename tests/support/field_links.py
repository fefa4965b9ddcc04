"""A site of the user with known paths, for the links of its content fields."""

from collections.abc import Mapping, Sequence

from tests.support.site import Answer, html

from outrider.links.monitor.model import PathAnswer, PathState

SITE, ORIGIN = 7, "http://shop.test"
PATHS = {
    "/live": PathAnswer(PathState.LIVE),
    "/hidden": PathAnswer(PathState.ITEM_HIDDEN),
    "/renamed": PathAnswer(PathState.MOVED, "/new-name"),
    "/deleted": PathAnswer(PathState.ITEM_MISSING),
    "/c/none/x": PathAnswer(PathState.COLLECTION_MISSING),
}


async def live_paths(paths: Sequence[str]) -> Mapping[str, PathAnswer]:
    return {path: PATHS[path] for path in paths if path in PATHS}


def page(text: str) -> Answer:
    return html(f"<title>{text}</title><p>{text} {'word ' * 40}</p>")
