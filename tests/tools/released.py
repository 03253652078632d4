# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""make released: build what a release publishes, and try it as somebody who has these files and no checkout."""

from __future__ import annotations

import sys

import signing
from artifacts import build
from commands import CheckFailed, run_pytest
from environments import development_environment, variables

if __name__ == "__main__":
    try:
        tools = development_environment()
        build(tools, signing.chosen_key())
        run_pytest(tools / "python", ["tests/release"], variables(tools))
    except CheckFailed as problem:
        sys.exit(f"Not fit for a release: {problem}.")
