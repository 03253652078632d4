# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Values within values: lists and dictionaries, as JSON and YAML nest them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


def replaced(value: Any, replace: Callable[[Any], Any]) -> Any:
    """The value after ``replace``; if that returns it unchanged, with everything in it replaced in the same way.

    The same object if nothing was replaced.
    """
    new = replace(value)
    if new is not value:
        return new
    if isinstance(value, Mapping):
        parts = {key: replaced(part, replace) for key, part in value.items()}
        return parts if any(parts[key] is not value[key] for key in parts) else value
    if isinstance(value, (list, tuple)):
        items = [replaced(item, replace) for item in value]
        return items if any(new is not old for new, old in zip(items, value)) else value
    return value
