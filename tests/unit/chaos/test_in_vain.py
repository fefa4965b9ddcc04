"""Which requests chaos reports that were begun while nothing could be written, from made-up logs."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import pytest
from chaos.faults import FAULTS, Strike
from chaos.in_vain import Place, Recorded, in_vain
from tests.support.web import Hit

BEGAN_S, OVER_S = 10.0, 20.0
HOSTS = 24
TOOK_S = 0.05
NEVER_S = float("inf")


class Asked(NamedTuple):
    """A request that begins at this second, and the second at which its page is written."""

    at_s: float
    worker: int = 1
    host: int = 0
    page: int = 1
    written_s: float = OVER_S + 1


def _strike(name: str, began_s: float = BEGAN_S, over_s: float = OVER_S) -> Strike:
    return Strike(FAULTS[name], began_s * 1000, over_s * 1000)


def _found(asked: Sequence[Asked], strike: Strike, *, forgotten: Iterable[Asked] = ()) -> list[float]:
    """The seconds at which requests began that are reported; `forgotten` ones are not in the database."""
    hits = {_hit(each): each for each in (*asked, *forgotten)}
    return sorted(hits[hit].at_s for hit in in_vain(list(hits), [strike], _history(asked)))  # type: ignore[index]


def _hit(asked: Asked) -> Hit:
    began_ms = round(asked.at_s * 1000)
    address, path = _place(asked)
    return Hit(address, address, path, 200, began_ms, began_ms + round(TOOK_S * 1000), 1, 1, "")


def _history(asked: Iterable[Asked]) -> Mapping[Place, Sequence[Recorded]]:
    found: dict[Place, list[Recorded]] = defaultdict(list)
    for each in asked:
        line = Recorded(each.worker, (each.at_s + TOOK_S) * 1000, each.written_s * 1000)
        found[_place(each)].append(line)
    return found


def _place(asked: Asked) -> Place:
    return f"127.0.0.{asked.host + 2}", f"/p/{asked.page}"


@pytest.mark.parametrize(
    ("strike", "asked_s", "found_s"),
    [
        pytest.param(_strike("fill the disk"), [9, 10.5, 12, 20.1], [], id="it takes time to notice"),
        pytest.param(_strike("fill the disk"), [10.5, 14, 16, 21], [14, 16], id="it did not stop"),
        pytest.param(_strike("freeze PostgreSQL", 10, 40), [11, 30], [30], id="a database that hangs"),
        pytest.param(_strike("cut the network"), [11, 14, 16], [], id="what is answered can be written"),
    ],
)
def test_a_worker_that_cannot_write_its_answers_begins_no_further_request(
    strike: Strike, asked_s: list[float], found_s: list[float]
) -> None:
    assert _found([Asked(at_s, written_s=NEVER_S) for at_s in asked_s], strike) == found_s


def test_a_worker_with_nothing_to_write_may_ask_every_host_it_leases_before_its_first_write_fails() -> None:
    stopped = [Asked(10.1, worker=1, host=host) for host in range(HOSTS)]
    leased_late = [Asked(15.7, worker=2, host=host, page=2) for host in range(HOSTS)]

    assert _found([*stopped, *leased_late], _strike("fill the disk")) == []


def test_a_worker_that_cannot_write_may_not_ask_a_single_host_again() -> None:
    stopped = [Asked(10.1, worker=1, host=host) for host in range(HOSTS)]
    again = Asked(15.7, worker=1, page=2)

    assert _found([*stopped, again], _strike("fill the disk")) == [again.at_s]


def test_each_worker_has_to_stop_although_another_does() -> None:
    leased_late = [Asked(14.0 + second, worker=2, host=second, page=2) for second in range(6)]

    assert _found([Asked(10.1, worker=1), *leased_late], _strike("fill the disk")) == [18.0, 19.0]


def test_a_worker_whose_answers_are_written_may_go_on() -> None:
    found_room = [Asked(11.0 + second, page=second, written_s=11.1 + second) for second in range(6)]
    full_again = [Asked(17.0, page=7), Asked(18.0, page=8), Asked(19.9, page=9)]

    assert _found([*found_room, *full_again], _strike("fill the disk")) == []


def test_a_worker_may_go_on_for_a_moment_after_a_write_that_found_room() -> None:
    found_room = Asked(9.9, page=1, written_s=14.5)
    asked = [Asked(10.1, page=2), Asked(14.6, page=3), Asked(15.5, page=4), Asked(18.0, page=5)]

    assert _found([found_room, *asked], _strike("fill the disk")) == [18.0]


def test_the_write_of_another_worker_is_no_reason_to_go_on() -> None:
    found_room = Asked(9.9, worker=2, page=1, written_s=14.5)

    assert _found([found_room, Asked(10.1, page=2), Asked(14.6, page=3)], _strike("fill the disk")) == [14.6]


def test_a_page_that_was_asked_for_twice_counts_for_the_worker_that_asked() -> None:
    first, again = Asked(10.1, worker=1), Asked(15.7, worker=2)

    assert _found([first, again], _strike("fill the disk")) == []


def test_requests_that_are_not_in_the_database_have_to_stop_as_well() -> None:
    forgotten = [Asked(10.1, page=1), Asked(15.0, page=2)]
    later = Asked(30.0, page=2)  # another request for the same page was written

    assert _found([later], _strike("fill the disk"), forgotten=forgotten) == [15.0]
