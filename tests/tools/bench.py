# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""make bench: builds what the bench runs on, and runs it there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from environments import development_environment, variables
from interpreters import NoPython


def main() -> int:
    tools = development_environment()
    bench = Path(__file__).with_name("bench_all.py")
    return subprocess.run([tools / "python", bench], env=variables(tools), check=False).returncode


if __name__ == "__main__":
    try:
        sys.exit(main())
    except NoPython as problem:
        sys.exit(str(problem))
