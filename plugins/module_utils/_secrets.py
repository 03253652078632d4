# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Secrets that a service repeats go no further."""

from __future__ import annotations

import typing as t

# As core writes them into the results of modules.
WHOLE = "VALUE_SPECIFIED_IN_NO_LOG_PARAMETER"
PART = "********"


def masked(value: t.Any, secrets: t.Collection[str]) -> t.Any:
    """The value without the secrets, be they a text, a part of one, a number, or the key of a dictionary."""
    if isinstance(value, dict):
        return {masked(key, secrets): masked(part, secrets) for key, part in value.items()}
    if isinstance(value, list):
        return [masked(part, secrets) for part in value]
    if isinstance(value, str):
        return _masked_text(value, secrets)
    if isinstance(value, (int, float)) and any(secret in str(value) for secret in secrets):
        return WHOLE
    return value


def _masked_text(text: str, secrets: t.Collection[str]) -> str:
    if text in secrets:
        return WHOLE
    # The longest first: one secret may be a part of another.
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, PART)
    return text
