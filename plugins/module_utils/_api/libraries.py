# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The Python libraries that requests to the service need."""

from __future__ import annotations

import shlex
import sys

try:
    import requests
    import urllib3
except ImportError:
    MISSING_LIBRARY = "requests"
else:
    # Whether they are there is the question.
    del requests, urllib3
    MISSING_LIBRARY = ""


def how_to_install(library: str) -> str:
    """The command for this Python, as a sentence."""
    return f"Install it: {shlex.quote(sys.executable)} -m pip install {shlex.quote(library)}"
