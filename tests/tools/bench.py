# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""make bench: builds what the bench runs on, and runs it there."""

from __future__ import annotations

import os
import subprocess
import sys

from environments import ROOT, collection_tree, development_environment, variables
from interpreters import NoPython


def main() -> int:
    tools = development_environment()
    tests = ROOT / "tests"
    path = os.pathsep.join(map(str, (collection_tree(), tests / "helpers", tests / "tools")))
    bench = [tools / "python", tests / "bench" / "bench_all.py"]
    return subprocess.run(bench, env=variables(tools, PYTHONPATH=path), check=False).returncode


if __name__ == "__main__":
    try:
        sys.exit(main())
    except NoPython as problem:
        sys.exit(str(problem))
