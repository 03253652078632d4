# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Values within values: lists and dictionaries, as JSON and YAML nest them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

# How keys begin that mark ansible-core's own objects in JSON: vaulted and trusted text, dates, and others.
RESERVED = "__ansible_"


def replace_in(value: Any, replace: Callable[[Any], Any]) -> Any:
    """The value after ``replace``; if that returns it unchanged, with everything in it replaced in the same way.

    The same object if nothing was replaced.
    """
    new = replace(value)
    if new is not value:
        return new
    if isinstance(value, Mapping):
        parts = {key: replace_in(part, replace) for key, part in value.items()}
        return parts if any(parts[key] is not value[key] for key in parts) else value
    if isinstance(value, (list, tuple)):
        items = [replace_in(item, replace) for item in value]
        return items if any(new is not old for new, old in zip(items, value)) else value
    return value


def without_reserved_keys(value: Any) -> Any:
    """The value with a prefix before such keys: else core would misread the service's data as its own objects."""
    if isinstance(value, dict):
        return {_free(key): without_reserved_keys(part) for key, part in value.items()}
    if isinstance(value, list):
        return [without_reserved_keys(part) for part in value]
    return value


def _free(key: Any) -> Any:
    return f"hosting{key}" if isinstance(key, str) and key.startswith(RESERVED) else key
