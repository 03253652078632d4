# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the Python of a module's process can run the module.

A module asks before it imports anything else. So whatever an older Python, from 3.6 on, cannot
read or import must not be in this file, nor in the modules themselves.
"""

import json
import sys

OLDEST_PYTHON = (3, 9)


def check_interpreter() -> None:
    """End the process as a failed module with one sentence, if its Python is too old."""
    if sys.version_info[:2] < OLDEST_PYTHON:
        version = sys.version.split()[0]
        msg = (
            f"The modules of hosting.platform need Python 3.9 or newer, but {sys.executable} is"
            f" Python {version}: set ansible_python_interpreter to another one."
        )
        json.dump({"failed": True, "msg": msg}, sys.stdout)
        raise SystemExit(1)
