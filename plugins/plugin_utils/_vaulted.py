# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeping vaulted values out of a run's output. Only ansible-core 2.19 and newer mark them once they are decrypted.

Only the value itself is marked, not what a template makes of it, nor the content of a file that is vaulted as a whole.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator
from typing import Any

from ansible.parsing import vault

from ..module_utils._api.masking import WHOLE, masked
from ..module_utils._run.nested import replaced
from ..module_utils._text import printable, printable_lines

# Shorter texts are part of too many words.
SHORTEST_PART = 8
# Keys that identify or approve a result: possibly derived from a value, but never the value itself.
OF_ENTRIES = ("kind", "action", "step", "reason")
# Identifiers; and an export, which is the service's own text and may equal a value.
KEPT = ("steps", "blueprint")


def vaulted_texts(given: Any) -> frozenset[str]:
    """The texts anywhere in the values that core marks as vaulted, in every form in which they may be shown."""
    if not hasattr(vault, "VaultHelper"):
        return frozenset()
    texts = {str(text) for text in _texts(given) if vault.VaultHelper.get_ciphertext(text, with_tags=False)}
    forms = {form for text in texts for form in (text, text.strip(), printable(text), printable_lines(text))}
    return frozenset(forms - {""})


def without_vaulted(value: Any, texts: Collection[str]) -> Any:
    """The value without the texts: always as whole values, and as parts of other texts unless they are short."""
    if not texts:
        return value
    long = [text for text in texts if len(text) >= SHORTEST_PART]

    def hidden(part: Any) -> Any:
        if isinstance(part, str):
            return WHOLE if part in texts else masked(part, long)
        if dataclasses.is_dataclass(part) and not isinstance(part, type):  # core's own warnings and errors
            fields = [field.name for field in dataclasses.fields(part) if field.init]
            return dataclasses.replace(part, **{name: without_vaulted(getattr(part, name), texts) for name in fields})
        return part

    return replaced(value, hidden)


def result_without_vaulted(result: dict[str, Any], texts: Collection[str]) -> dict[str, Any]:
    """The result of ``blueprint`` or ``blueprint_info`` without the texts, in a form that reports can still process."""
    hidden: dict[str, Any] = without_vaulted(result, texts)
    for name in ("results", "undeclared"):
        for before, after in zip(result.get(name) or [], hidden.get(name) or []):
            after.update({key: before[key] for key in OF_ENTRIES if key in before})
            for gone, shown in zip(before.get("along") or [], after.get("along") or []):
                shown["kind"] = gone["kind"]
    return {**hidden, **{key: result[key] for key in KEPT if key in result}}


def _texts(value: Any) -> Iterator[Any]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list, tuple)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)
