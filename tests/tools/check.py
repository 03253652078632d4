# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs sections of the checks, each under a heading: check.py unit, check.py lint unit ..."""

from __future__ import annotations

import os
import subprocess
import sys

from environments import ROOT, development_environment, with_collection

TESTS = os.environ.get("TEST", "").split()


def unit() -> None:
    command = [development_environment() / "python", "-m", "pytest", *(TESTS or ["tests/unit"])]
    subprocess.run(command, cwd=ROOT, env=with_collection(), check=True)


SECTIONS = {"unit": unit}


def main(names: list[str]) -> int:
    for name in names or SECTIONS:
        print(f"\n##### {name}\n", flush=True)
        try:
            SECTIONS[name]()
        except subprocess.CalledProcessError as error:
            return error.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
