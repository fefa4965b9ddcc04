"""The frontier against a simple model: claims, results, crashes and zombies in any order.

The model is a few dictionaries. After every step: a host belongs to at most one worker, no URL is
lost, the counts are right. At the end everything that can be worked off is, and each page that was
fetched is stored exactly once, however often it was asked for.
"""

import random
from dataclasses import dataclass, field

import pytest
from tests.support.make import Operator, completion, draft, keep_documents, submission

from outrider.frontier.lease import Lease
from outrider.frontier.model import Completion, Entry
from outrider.urls import host_id_of, host_of, key_of

HOSTS = [f"h{n}.test" for n in range(4)]
URLS = [f"http://{host}/{n}" for host in HOSTS for n in range(8)]
STEPS = 150
MAX_ATTEMPTS = 3


@dataclass
class Model:
    """What must be true, kept apart from how the database knows it."""

    states: dict[str, str] = field(default_factory=dict)
    successes: dict[str, int] = field(default_factory=dict)
    priorities: dict[str, int] = field(default_factory=dict)
    holder: dict[str, tuple[int, int] | None] = field(default_factory=dict)  # host → worker, fencing number

    def submit(self, url: str, priority: int) -> None:
        if url not in self.states:
            self.states[url], self.successes[url], self.priorities[url] = "pending", 0, priority
        elif self.states[url] == "pending":
            self.priorities[url] = max(self.priorities[url], priority)

    def complete(self, done: Completion) -> None:
        if done.reason is None:
            self.states[done.url] = "alias" if done.moved_to else "fetched"
            self.successes[done.url] += 1
        elif self.states[done.url] == "pending" and done.fetches >= self.successes[done.url]:
            self.states[done.url] = "pending" if done.retry_in_s is not None else "dead"

    def requeue(self, url: str) -> None:
        if self.states.get(url, "pending") != "pending":
            self.states[url] = "pending"


@dataclass
class Hand:
    """One worker: what it holds, and what it learned and has not written yet."""

    operator: Operator
    leases: list[Lease] = field(default_factory=list)
    results: list[tuple[Entry, str]] = field(default_factory=list)
    number: int = 0


class Walk:
    """One random history."""

    def __init__(self, hands: list[Hand], dice: random.Random) -> None:
        self.hands = hands
        self.dice = dice
        self.model = Model()
        self.zombies: list[Hand] = []

    async def step(self) -> None:
        hand = self.dice.choice(self.hands)
        action = self.dice.choices(
            [self.claim, self.fetch, self.finish, self.crash, self.rise_again, self.find_links, self.requeue],
            weights=[6, 6, 5, 2, 2, 3, 1],
        )[0]
        await action(hand)

    async def claim(self, hand: Hand) -> None:
        for lease in await hand.operator.claim(self.dice.choice([1, 2, 4])):
            assert self.model.holder.get(lease.host) is None, f"{lease.host} was handed out twice"
            assert all(self.model.states[entry.url] == "pending" for entry in lease.entries)
            priorities = [entry.priority for entry in lease.entries]
            assert priorities == sorted(priorities, reverse=True)
            assert priorities == [self.model.priorities[entry.url] for entry in lease.entries]
            self.model.holder[lease.host] = (hand.operator.store.worker_id, lease.seq)
            hand.leases.append(lease)

    async def fetch(self, hand: Hand) -> None:
        entries = [entry for lease in hand.leases for entry in lease.entries]
        known = {entry.key for entry, _ in hand.results}
        for entry in entries[: self.dice.randint(1, 4)]:
            if entry.key not in known:
                outcome = self.dice.choices(["ok", "retry", "dead", "redirect"], weights=[5, 3, 1, 1])[0]
                hand.results.append((entry, outcome))

    async def finish(self, hand: Hand) -> None:
        await self.flush(hand)
        await self.release(hand)

    async def flush(self, hand: Hand) -> None:
        """One batch, one commit; now and then its answer is lost and it is sent again."""
        done, links, drafts = self._written(hand.results)
        hand.number += 1
        store = hand.operator.store

        async def write(db):
            if not await store.begin_flush(db, hand.number):
                return
            await keep_documents(db, drafts, store.slot)
            await store.complete(db, done)
            await store.ingest(db, links)

        for _ in range(self.dice.choice([1, 1, 2])):
            await hand.operator.run(write)
        for completed in done:
            self.model.complete(completed)
        for link in links:
            self.model.submit(link.url, link.priority)
        hand.results.clear()

    def _written(self, results):
        """As a flush would: completions, the links to queue, the pages to keep."""
        done, links, drafts = [], {}, []
        for entry, outcome in results:
            failed = entry.attempts + 1
            match outcome:
                case "ok":
                    done.append(completion(entry))
                    drafts.append(draft(entry.url))
                    for url in self.dice.sample(URLS, 2):
                        links[url] = submission(url, self.dice.randint(1, 10))
                case "retry" if failed < MAX_ATTEMPTS:
                    wait_s = self.dice.choice([0, 0, 3600])
                    done.append(completion(entry, reason="http_500", retry_in_s=wait_s, attempts=failed))
                case "redirect":
                    target = self.dice.choice([url for url in URLS if url != entry.url])
                    done.append(completion(entry, moved_to=key_of(target), status=301))
                    links.setdefault(target, submission(target, entry.priority))
                case _:
                    done.append(completion(entry, reason="max_retries:http_500"))
        completed = {one.url for one in done}
        return done, [link for url, link in links.items() if url not in completed], drafts

    async def release(self, hand: Hand) -> None:
        if not hand.leases:
            return
        await hand.operator.release(*hand.leases)
        for lease in hand.leases:
            if self.model.holder.get(lease.host) == (hand.operator.store.worker_id, lease.seq):
                self.model.holder[lease.host] = None
        hand.leases = []

    async def crash(self, hand: Hand) -> None:
        """It is taken for dead: its leases run out. What it had in hand may still come, late."""
        if not hand.leases:
            return
        for lease in hand.leases:
            if self.model.holder.get(lease.host) == (hand.operator.store.worker_id, lease.seq):
                await hand.operator.let_lease_run_out(lease.host)
                self.model.holder[lease.host] = None
        self.zombies.append(Hand(hand.operator, hand.leases, hand.results, hand.number))
        hand.leases, hand.results = [], []

    async def rise_again(self, hand: Hand) -> None:
        """A zombie writes and releases what others hold by now."""
        if not self.zombies:
            return
        zombie = self.zombies.pop(self.dice.randrange(len(self.zombies)))
        of_same_worker = next(one for one in self.hands if one.operator is zombie.operator)
        zombie.number = of_same_worker.number
        await self.flush(zombie)
        of_same_worker.number = zombie.number
        await self.release(zombie)

    async def find_links(self, hand: Hand) -> None:
        links = [submission(url, self.dice.randint(1, 10)) for url in self.dice.sample(URLS, 4)]
        await hand.operator.ingest(links)
        for link in links:
            self.model.submit(link.url, link.priority)

    async def requeue(self, hand: Hand) -> None:
        urls = self.dice.sample(URLS, 2)
        await hand.operator.requeue(*urls)
        for url in urls:
            self.model.requeue(url)

    async def check(self) -> None:
        operator = self.hands[0].operator
        await self.check_urls(operator)
        await self.check_hosts(operator)
        totals = await operator.totals()
        states = list(self.model.states.values())
        assert (totals.pending, totals.fetched, totals.dead, totals.aliases) == tuple(
            states.count(state) for state in ("pending", "fetched", "dead", "alias")
        )

    async def check_urls(self, operator: Operator) -> None:
        rows = await operator.run(
            lambda db: db.fetch("SELECT url, status, fetch_count, priority FROM url_frontier")
        )
        assert {row["url"]: row["status"] for row in rows} == self.model.states
        assert {row["url"]: row["fetch_count"] for row in rows} == self.model.successes
        assert {row["url"]: row["priority"] for row in rows} == self.model.priorities

    async def check_hosts(self, operator: Operator) -> None:
        rows = await operator.run(
            lambda db: db.fetch(
                "SELECT host_id, due_at, lease_owner, lease_seq, due_at <= now() AS due FROM host"
            )
        )
        hosts = {row["host_id"]: row for row in rows}
        due_urls = await operator.run(
            lambda db: db.fetch("SELECT host_id FROM url WHERE next_fetch_at <= now()")
        )
        with_work = {row["host_id"] for row in due_urls}
        for host in {host_of(url) for url in self.model.states}:
            row = hosts[host_id_of(host)]
            pending = [
                url for url, state in self.model.states.items() if state == "pending" and host_of(url) == host
            ]
            assert row["due_at"] is not None or not pending, f"{host} is lost with {pending}"
            if holder := self.model.holder.get(host):
                assert (row["lease_owner"], row["lease_seq"]) == holder
                assert not row["due"]
            elif row["host_id"] in with_work:
                assert row["due"], f"{host} has something to do and is not due"

    async def work_off(self) -> None:
        """Everything left is fetched, by whoever gets it; so nothing was lost."""
        for hand in self.hands:
            await self.crash(hand)
        while self.zombies:
            await self.rise_again(self.hands[0])
        for _ in range(200):
            hand = self.dice.choice(self.hands)
            await hand.operator.make_due(*self.model.states)
            await self.claim(hand)
            if not hand.leases:
                break
            hand.results = [(entry, "dead") for lease in hand.leases for entry in lease.entries]
            await self.finish(hand)
        assert "pending" not in self.model.states.values()
        documents = await self.hands[0].operator.run(lambda db: db.fetchval("SELECT count(*) FROM document"))
        totals = await self.hands[0].operator.totals()
        assert totals.others["documents"] == documents


@pytest.mark.parametrize("seed", range(8))
async def test_any_history_agrees_with_the_model(start_worker, seed):
    walk = Walk([Hand(await start_worker()) for _ in range(3)], random.Random(seed))

    for _ in range(STEPS):
        await walk.step()
        await walk.check()
    await walk.work_off()
    await walk.check()
