"""Use cases of sources."""

import pytest

from outrider.errors import InvalidInput, NotFound
from outrider.frontier.options import FrontierOptions
from outrider.services.as_json import as_json
from outrider.services.sources.sources import disable_source, enable_source, remove_source, source_id_named
from outrider.sources.source_changes import read_changes
from outrider.sources.store import SourceStore
from outrider.watch.source_service import SourceService

OPTIONS = FrontierOptions()


@pytest.fixture
async def blatt(operator):
    changes = read_changes({"url": "https://blatt.test/", "name": "blatt"}).checked()
    await operator.run(lambda db: SourceService(operator.store).add(db, changes))


async def _source(operator):
    return await operator.run(lambda db: SourceStore().find(db, "blatt"))


async def test_a_source_is_disabled_for_a_reason_and_enabled_again(operator, blatt):
    with pytest.raises(InvalidInput, match="needs a reason"):
        await operator.run(lambda db: disable_source(db, "blatt", " ", OPTIONS))
    assert (await _source(operator)).enabled

    disabled = await operator.run(lambda db: disable_source(db, "https://blatt.test/", "sold", OPTIONS))
    assert as_json(disabled) == {"name": "blatt", "state": "disabled"}
    assert ((await _source(operator)).enabled, (await _source(operator)).disable_reason) == (False, "sold")

    await operator.run(lambda db: enable_source(db, "blatt", OPTIONS))
    assert (await _source(operator)).enabled


async def test_a_removed_source_is_not_found(operator, blatt):
    removed = await operator.run(lambda db: remove_source(db, "blatt", OPTIONS))

    assert as_json(removed) == {"name": "blatt", "state": "removed"}
    with pytest.raises(NotFound):
        await _source(operator)


async def test_a_source_is_found_by_its_name_or_its_number(operator, blatt):
    number = (await _source(operator)).source_id
    assert await operator.run(lambda db: source_id_named(db, "blatt")) == number
    assert await operator.run(lambda db: source_id_named(db, str(number))) == number
    for other in ("0", f"{number + 1}", "99999999999"):
        with pytest.raises(NotFound, match=f"there is no source '{other}'"):
            await operator.run(lambda db, other=other: source_id_named(db, other))
    assert await operator.run(lambda db: source_id_named(db, None)) is None
    with pytest.raises(NotFound, match="there is no source 'BLATT'"):
        await operator.run(lambda db: source_id_named(db, "BLATT"))
