# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Values between ansible-core and us: text from the service, in which possible templates are
distinguished from plain text, and arguments of a task as a module process reads them.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping
from typing import Any

from ansible import template
from ansible.parsing import vault

from ...module_utils._run.module import without_reserved_keys

# The start of a template in every ansible-core so far. The core that reads a text may not be the
# one that wrote it.
TEMPLATE_MARKERS = ("{{", "{%", "{#")
# Text with this prefix defines its own delimiters.
OVERRIDE = "#jinja2:"
# Before ansible-core 2.19, a vaulted value is a string type created by the YAML loader.
ENCRYPTED = (
    "EncryptedString" if hasattr(vault, "EncryptedString") else "AnsibleVaultEncryptedUnicode"
)


def is_template(text: str) -> bool:
    """True if an ansible-core takes the text for a template."""
    return text.startswith(OVERRIDE) or any(mark in text for mark in TEMPLATE_MARKERS)


def _as_json(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, datetime.date):
        return value.isoformat()
    if type(value).__name__ == ENCRYPTED:
        return str(value)  # decrypted
    raise TypeError(f"{type(value).__name__} is not a type of JSON")


ENCODER = json.JSONEncoder(default=_as_json, ensure_ascii=False)


def to_plain_json(value: Any) -> Any:
    """The value of JSON's own types, without the extra data of core's string types. A date is text.

    Raises TypeError or ValueError for what JSON or UTF-8 cannot represent.
    """
    text = ENCODER.encode(value)
    text.encode()
    return json.loads(text)


if hasattr(template, "trust_as_template"):

    def as_data(value: Any) -> Any:
        """The value as a variable whose text is never evaluated: core evaluates only what is marked
        as trusted.
        """
        return without_reserved_keys(value)
else:
    from ansible.utils.unsafe_proxy import wrap_var

    def as_data(value: Any) -> Any:
        """The value as a variable whose text is never evaluated: all of it is marked as unsafe."""
        return wrap_var(without_reserved_keys(value))
