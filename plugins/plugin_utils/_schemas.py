# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the JSON schemas of this version of the collection are published."""

from __future__ import annotations

from ..module_utils._version import VERSION

# An unreleased version, such as 1.0.0-dev0, has no tag.
PUBLISHED = "main" if "-" in VERSION else VERSION
FOLDER = f"https://raw.githubusercontent.com/hosting-platform/hosting.platform/{PUBLISHED}/docs/schemas"


def schema_address(name: str) -> str:
    """``name``: a kind, ``blueprint`` or ``plan``."""
    return f"{FOLDER}/{name}.schema.json"
