# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Values between ansible-core and us: text from the service, in which possible templates are distinguished from plain
text, and arguments of a task as a module process reads them.
"""

from __future__ import annotations

import datetime
import functools
import io
import json
from collections.abc import Mapping
from typing import Any

from ansible import template
from ansible.parsing import vault
from ansible.parsing.yaml.dumper import AnsibleDumper

from ..module_utils._run.module import without_reserved_keys

# The start of a template in every ansible-core so far. The core that reads a text may not be the one that wrote it.
MARKS = ("{{", "{%", "{#")
# Text with this prefix defines its own delimiters.
OVERRIDE = "#jinja2:"
# Before ansible-core 2.19, a vaulted value is a string type created by the YAML loader.
ENCRYPTED = "EncryptedString" if hasattr(vault, "EncryptedString") else "AnsibleVaultEncryptedUnicode"


def is_template(text: str) -> bool:
    """Return whether an ansible-core takes the text for a template."""
    return text.startswith(OVERRIDE) or any(mark in text for mark in MARKS)


def as_data(value: Any) -> Any:
    """The value as a variable whose text is never evaluated."""
    return as_it_is(without_reserved_keys(value))


def as_listed(value: Any, in_yaml: bool = False) -> Any:
    """The value for output, marked unsafe only where necessary, as the marks are printed too."""

    def listed(part: Any) -> Any:
        if isinstance(part, Mapping):
            return {key: listed(item) for key, item in part.items()}
        if isinstance(part, (list, tuple)):
            return [listed(item) for item in part]
        if not isinstance(part, str):
            return part
        if not is_template(part):
            return as_trusted(part)
        return _unsafe_in_yaml()(part) if in_yaml else part

    return listed(without_reserved_keys(value))


@functools.lru_cache(maxsize=1)
def _unsafe_in_yaml() -> type[str]:
    """A string type that core writes to YAML with the tag ``!unsafe``, which it never does on its own."""

    class Unsafe(str):
        __slots__ = ()

    # In later versions of core, the imported name is only a factory of the dumper.
    type(AnsibleDumper(io.StringIO())).add_representer(
        Unsafe, lambda dumper, text: dumper.represent_scalar("!unsafe", str(text))
    )
    return Unsafe


def json_value(value: Any) -> Any:
    """The value of JSON's own types, without the extra data of core's string types. A date is text.

    Raises TypeError or ValueError for what JSON or UTF-8 cannot represent.
    """
    text = json.dumps(value, default=_as_json, ensure_ascii=False)
    text.encode()
    return json.loads(text)


def _as_json(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, datetime.date):
        return value.isoformat()
    if type(value).__name__ == ENCRYPTED:
        return str(value)  # decrypted
    raise TypeError(f"{type(value).__name__} is of no type that JSON has")


if hasattr(template, "trust_as_template"):

    def as_it_is(value: Any) -> Any:
        """The value unchanged: core treats everything that is not marked as trusted as data."""
        return value

    def as_trusted(text: str) -> str:
        """The text marked as one that may be a template. Core prints it without a tag."""
        return template.trust_as_template(text)
else:
    from ansible.utils.unsafe_proxy import wrap_var as as_it_is

    def as_trusted(text: str) -> str:
        """The text as a plain string, without the type that marks it as unsafe."""
        return str.__str__(text)
