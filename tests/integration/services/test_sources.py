"""Use cases of sources."""

import pytest

from outrider.errors import InvalidInput, NotFound
from outrider.frontier.options import FrontierOptions
from outrider.services.as_json import as_json
from outrider.services.sources import disable_source, enable_source, remove_source, source_id_named
from outrider.sources.store import WatchedStore
from outrider.sources.wishes import read_wishes
from outrider.watch.registry import Registry

OPTIONS = FrontierOptions()


@pytest.fixture
async def blatt(clerk):
    wishes = read_wishes({"url": "https://blatt.test/", "name": "blatt"}).checked()
    await clerk.run(lambda db: Registry(clerk.store).add(db, wishes))


async def _source(clerk):
    return await clerk.run(lambda db: WatchedStore().find(db, "blatt"))


async def test_a_source_is_disabled_for_a_reason_and_enabled_again(clerk, blatt):
    with pytest.raises(InvalidInput, match="needs a reason"):
        await clerk.run(lambda db: disable_source(db, "blatt", " ", OPTIONS))
    assert (await _source(clerk)).enabled

    disabled = await clerk.run(lambda db: disable_source(db, "https://blatt.test/", "sold", OPTIONS))
    assert as_json(disabled) == {"name": "blatt", "state": "disabled"}
    assert ((await _source(clerk)).enabled, (await _source(clerk)).disable_reason) == (False, "sold")

    await clerk.run(lambda db: enable_source(db, "blatt", OPTIONS))
    assert (await _source(clerk)).enabled


async def test_a_removed_source_is_not_found(clerk, blatt):
    removed = await clerk.run(lambda db: remove_source(db, "blatt", OPTIONS))

    assert as_json(removed) == {"name": "blatt", "state": "removed"}
    with pytest.raises(NotFound):
        await _source(clerk)


async def test_a_source_is_found_by_its_name_and_by_nothing_else(clerk, blatt):
    assert await clerk.run(lambda db: source_id_named(db, "blatt")) == (await _source(clerk)).source_id
    assert await clerk.run(lambda db: source_id_named(db, None)) is None
    with pytest.raises(NotFound, match="there is no source 'BLATT'"):
        await clerk.run(lambda db: source_id_named(db, "BLATT"))
