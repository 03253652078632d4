# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of a task that are text where a list or a dictionary is wanted, as on a command line or
in the text area of a survey.

Entries of a blueprint are not among them: a list is a list there.
"""

from __future__ import annotations

import json
import os
import re
from typing import Any

from ansible.module_utils.common.validation import check_type_dict

from ...module_utils._errors import InvalidOption
from ...module_utils._model.options import Definitions, Options
from ...module_utils._run.invocation import ModuleArgs
from ..files._atomic_files import absolute_path

# What stands between items: a line's end, perhaps with a comma before it, or a comma alone.
SEPARATOR = re.compile(",?\n|,")
LINE_END = re.compile("[\r\n]")
EMPTY_ITEM = (
    "has an empty item before or behind a comma. On a command line, write no space after a comma:"
)
YAML_ITEM = (
    'has an item that begins with "- ", as in YAML. Write one item a line without it, or JSON.'
)


def converted(args: Options, definitions: Definitions, prefix: str) -> ModuleArgs:
    """The arguments with a list or a dictionary where text stands for one.

    ``prefix``: what precedes the names of the options where the user sets them. Raises
    InvalidOption for a text that is neither.
    """
    return {
        name: _converted(name, value, definitions.get(name, {}), prefix)
        for name, value in args.items()
    }


def _converted(option: str, value: Any, definition: Definitions, prefix: str) -> Any:
    expected = definition.get("type")
    if expected == "list" and isinstance(value, (int, float)) and "choices" not in definition:
        return [value]  # core would make text of it, and nobody could tell how it was written
    if expected not in ("list", "dict") or not isinstance(value, str):
        return value
    if not value.strip():
        return ""
    if definition.get("elements") == "path" and os.path.exists(absolute_path(value)):
        return [value]  # one path, whatever commas it holds
    read = _as_list if expected == "list" else _as_dictionary
    return read(option, value, prefix)


def _as_list(option: str, text: str, prefix: str) -> list[Any]:
    """The list for which an option's text, which is not blank, stands: JSON, or items between
    commas and line ends.

    White space around an item, empty lines, and a comma at the end of a line but the last say
    nothing. Raises InvalidOption.
    """
    if text.lstrip().startswith("["):
        try:
            return list(json.loads(text))
        except (ValueError, RecursionError):
            problem = "begins with [ and is not JSON. Quote each text in it."
            raise InvalidOption(option, problem) from None
    lines = "\n".join(filter(None, map(str.strip, LINE_END.split(text))))
    items = [item.strip() for item in SEPARATOR.split(lines)]
    if "" in items:
        raise InvalidOption(option, f"{EMPTY_ITEM} -e {prefix}{option}=one,two", separator=" ")
    if any(item.startswith("- ") for item in items):
        raise InvalidOption(option, YAML_ITEM, separator=" ")
    return items


def _as_dictionary(option: str, text: str, prefix: str) -> Any:
    """Core reads JSON and ``key=value``. Raises InvalidOption for any other text."""
    try:
        return check_type_dict(text)
    except TypeError:
        raise InvalidOption(
            option,
            "must be a dictionary, and is text. On a command line, write JSON:"
            f" -e '{{\"{prefix}{option}\": {{...}}}}'.",
            separator=" ",
        ) from None
