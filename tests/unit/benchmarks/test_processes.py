"""What processes have cost is known to their end."""

import subprocess
import sys

from benchmarks.processes import ended_cpu_s


def test_what_a_child_spent_up_to_its_exit_is_known_once_it_has_ended():
    before = ended_cpu_s()
    said = subprocess.check_output(
        [sys.executable, "-c", "import time; sum(range(1_000_000)); print(time.process_time())"]
    )

    assert ended_cpu_s() - before >= float(said) * 0.99  # the kernel's clocks differ in the last digits
