"""How a crawler stands after several rounds."""

from benchmarks.crawl import Speed
from benchmarks.race import standing


def run(pages_per_s, worker_ms):
    return Speed(
        crawler="Outrider",
        workers=2,
        pages=10_000,
        repeated=0,
        pages_per_s=pages_per_s,
        cpu_ms={"workers": worker_ms, "PostgreSQL": 0.1},
        whole_ms=worker_ms + 1,
        nginx_ms=0.02,
        peak_mb=100 * worker_ms,
    )


def test_the_best_of_each_figure_counts_and_memory_at_its_worst():
    stands = standing([run(900, 1.2), run(1_000, 1.4), run(500, 1.0)])

    assert (stands.pages_per_s, stands.pages_per_s_median) == (1_000, 900)
    assert (round(stands.all_ms, 6), round(stands.all_ms_median, 6)) == (1.1, 1.3)
    assert stands.cpu_ms == {"workers": 1.0, "PostgreSQL": 0.1}
    assert stands.peak_mb == 140
