# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The emulator's own time per request, as `tools/measure.py` measures it; and its memory."""

from __future__ import annotations

import resource
import subprocess
from pathlib import Path

import pytest

from measure import own_times, reset_time
from support import Api, command

PADDING = "x" * 2000
# Every project that is created is deleted.
REQUESTS: list[tuple[str, object]] = [
    ("POST /projects", {"name": "web", "buildCommand": PADDING}),
    ("GET /projects/web", None),
    ("GET /projects?limit=100", None),
    ("PATCH /projects/web", {"framework": "vite"}),
    ("PATCH /projects/web", {"framework": [[[]]] * 200}),
    ("POST /web/alias", {"alias": "www.example.com"}),
    ("GET /projects/none", None),
    (f"GET /projects?surprise={PADDING}", None),
    ("POST /auth/signin", {"email": "dev@example.com", "tokenName": "laptop"}),
    ("DELETE /projects/web", None),
    ("GET /_emulator/faults", None),
]


def test_reading_one_of_many_takes_well_under_a_millisecond() -> None:
    """Processor time, the best of several batches: neither the machine's load nor its network count."""
    times = own_times(projects=2_000, repetitions=50)
    assert times["/projects/project-77"] < 0.5
    assert times["/projects?limit=100"] < 5


def test_a_reset_takes_less_than_five_milliseconds() -> None:
    assert reset_time(projects=100) < 5


@pytest.mark.thorough
def test_memory_does_not_grow_with_the_requests_served() -> None:
    """Once the log is full, it takes no more."""

    def memory_after(rounds: int) -> float:
        """In MiB."""
        for _ in range(rounds):
            for operation, document in REQUESTS:
                api.ask(operation, json=document)
        _size, pages, *_ = Path(f"/proc/{process.pid}/statm").read_text().split()
        return int(pages) * resource.getpagesize() / 1024**2

    with subprocess.Popen(command("--log-limit", "500"), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            with Api(process.stdout.readline().split()[-1]) as api:
                before, after = memory_after(100), memory_after(600)
        finally:
            process.terminate()
    assert after - before < 1
