# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Arguments of a task as a process of the module's own would read them."""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping
from typing import Any

# A vaulted value, since ansible-core 2.19 and before.
ENCRYPTED_TYPES = ("EncryptedString", "AnsibleVaultEncryptedUnicode")


def to_plain_json(value: Any) -> Any:
    """The value of JSON's own types, without the extra data of core's string types. A date is text.

    Raises TypeError or ValueError for what JSON or UTF-8 cannot represent.
    """
    text = ENCODER.encode(value)
    text.encode()
    return json.loads(text)


def _as_json(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, datetime.date):
        return value.isoformat()
    if type(value).__name__ in ENCRYPTED_TYPES:
        return str(value)  # decrypted
    raise TypeError(f"{type(value).__name__} is not a type of JSON")


ENCODER = json.JSONEncoder(default=_as_json, ensure_ascii=False)
