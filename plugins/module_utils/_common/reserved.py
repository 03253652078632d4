# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Keys that mark ansible-core's own objects in JSON: vaulted and trusted text, dates, and others."""

from __future__ import annotations

from typing import Any

RESERVED = "__ansible_"


def without_reserved_keys(value: Any) -> Any:
    """The value with a prefix before such keys: else core would misread the service's data as its own objects."""
    if isinstance(value, dict):
        return {_free(key): without_reserved_keys(part) for key, part in value.items()}
    if isinstance(value, list):
        return [without_reserved_keys(part) for part in value]
    return value


def _free(key: Any) -> Any:
    return f"hosting{key}" if isinstance(key, str) and key.startswith(RESERVED) else key
