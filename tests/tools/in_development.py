# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""in_development.py SCRIPT ...: runs a script of this folder with the development environment's Python."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from environments import development_environment, variables

if __name__ == "__main__":
    tools = development_environment()
    script = Path(__file__).with_name(sys.argv[1])
    sys.exit(subprocess.run([tools / "python", script, *sys.argv[2:]], env=variables(tools), check=False).returncode)
