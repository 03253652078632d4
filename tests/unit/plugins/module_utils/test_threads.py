# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Threads carry out what they are given, in order, and begin nothing more after a failure; where
the system lets few of them start, or none, these or the caller's do it all.
"""

import os
import subprocess
import sys
import threading
from concurrent.futures import Future

import pytest

from ansible_collections.hosting.platform.plugins.module_utils._threads import InterruptiblePool

LONG = 10
# A process whose address space has room for so many stacks, and so for so many threads.
FEW_THREADS = """
import resource, threading
from pathlib import Path
from ansible_collections.hosting.platform.plugins.module_utils._threads import InterruptiblePool
from blueprints import converge
from in_process import InProcess

COUNT = {count}
STACK = threading.stack_size(2**32) or 2**32
USED = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
MOST = USED + COUNT * STACK + STACK // 2
resource.setrlimit(resource.RLIMIT_AS, (MOST, MOST))
{code}
"""
SHARED_WORK = """
began = threading.Barrier(max(COUNT, 1))

def work(number):
    if number < began.parties:
        began.wait(10)
    return number, threading.get_ident()

with InterruptiblePool(8) as pool:
    done = list(pool.map(work, range(20)))
threads = {thread for _number, thread in done}
print([number for number, _thread in done] == [*range(20)], len(threads))
print(threading.get_ident() in threads)
"""
INTERRUPTED_WORK = """
def work(number):
    print(number)
    raise KeyboardInterrupt

with InterruptiblePool(8) as pool:
    list(pool.map(work, range(20)))
"""
BLUEPRINT = """
projects = [{"name": f"p{number}", "team": "acme"} for number in range(20)]
emulator = InProcess()
blueprint = {"teams": [{"slug": "acme"}], "projects": projects}
print(converge(emulator.base_url, blueprint, workers=8)["summary"]["create"])
print(len(emulator.state()["projects"]))
"""


def run_on_few_threads(code: str, count: int) -> subprocess.CompletedProcess[str]:
    """What the code prints, with so many threads besides its own."""
    script = FEW_THREADS.replace("{count}", str(count)).replace("{code}", code)
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(
        [sys.executable, "-c", script],
        env=variables,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("count", [0, 1, 3])
def test_few_threads_do_all_the_work(count):
    done = run_on_few_threads(SHARED_WORK, count)
    assert done.stdout.split() == ["True", str(max(count, 1)), str(count == 0)], done.stderr


def test_an_interrupt_of_the_callers_thread_ends_the_work():
    done = run_on_few_threads(INTERRUPTED_WORK, 0)
    assert done.stdout.split() == ["0"]
    assert done.stderr.splitlines()[-1] == "KeyboardInterrupt"


@pytest.mark.parametrize("count", [0, 3])
def test_a_blueprint_is_converged_on_few_threads(count):
    done = run_on_few_threads(BLUEPRINT, count)
    assert done.stdout.split() == ["21", "20"], done.stderr


def test_results_come_in_order():
    with InterruptiblePool(3) as pool:
        assert list(pool.map(lambda number: number * number, range(20))) == [
            number * number for number in range(20)
        ]


def test_a_failure_is_the_callers_and_nothing_more_is_begun():
    begun = []
    cancelled = threading.Event()

    def work(number):
        begun.append(number)
        if number == 1:
            raise ValueError("the second")
        assert number != 2 or cancelled.wait(LONG)

    futures: list[Future[None]] = []

    def all_of_it():
        with InterruptiblePool(1) as pool:
            futures.extend(pool.submit(work, number) for number in range(100))
            futures[-1].add_done_callback(lambda _future: cancelled.set())
            futures[1].result()

    with pytest.raises(ValueError, match="the second"):
        all_of_it()
    assert set(begun) <= {0, 1, 2}
    assert all(future.cancelled() for future in futures[3:])
