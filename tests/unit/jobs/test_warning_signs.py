"""What an operator should look at."""

import pytest

from outrider.jobs.warning_signs import warning_signs


@pytest.mark.parametrize(
    ("success_rate", "stale_locks", "score", "signs"),
    [
        (None, 0, 1.0, []),
        (0.8, 2, 0.7, []),
        (0.79, 0, 1.0, ["79% of the runs of the last day succeeded, less than 80%"]),
        (1.0, 3, 1.0, ["3 runs were taken over from schedulers that stopped or died"]),
        (1.0, 0, 0.69, ["the distribution score is 0.69, less than 0.7"]),
        (0.0, 1000, 0.0, ["0% of", "1,000 runs", "the distribution score is 0.00"]),
    ],
)
def test_each_figure_beyond_its_threshold_is_one_sentence(success_rate, stale_locks, score, signs):
    found = warning_signs(success_rate, stale_locks, score)

    assert len(found) == len(signs)
    for sentence, begin in zip(found, signs, strict=True):
        assert sentence.startswith(begin)
