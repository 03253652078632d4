# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Vaulted values, kept out of what a run tells. Only ansible-core 2.19 and newer mark them once they are decrypted.

A value is marked as long as it stands for itself: what a template makes of it, and a file that is vaulted as a whole,
are not.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator
from typing import Any

from ansible.parsing import vault

from ansible_collections.hosting.platform.plugins.module_utils._secrets import WHOLE, masked
from ansible_collections.hosting.platform.plugins.module_utils._text import printable, printable_lines

# A shorter one is a part of too many words.
SHORTEST_PART = 8
# What a result is told apart by, and what approves it: made of a value perhaps, but never the value.
OF_ENTRIES = ("kind", "action", "step", "reason")


def vaulted_texts(given: Any) -> frozenset[str]:
    """The texts somewhere in the values that core marks as vaulted, in the forms in which they may be told."""
    if not hasattr(vault, "VaultHelper"):
        return frozenset()
    texts = {str(text) for text in _texts(given) if vault.VaultHelper.get_ciphertext(text, with_tags=False)}
    forms = {form for text in texts for form in (text, text.strip(), printable(text), printable_lines(text))}
    return frozenset(forms - {""})


def without_vaulted(value: Any, texts: Collection[str]) -> Any:
    """The value without the texts: whole ones always, and as part of another text those that are not short."""
    if not texts:
        return value
    long = [text for text in texts if len(text) >= SHORTEST_PART]
    return _hidden(value, texts, long)


def result_without_vaulted(result: dict[str, Any], texts: Collection[str]) -> dict[str, Any]:
    """The result of the module ``blueprint`` without the texts, and still one that reports understand."""
    hidden: dict[str, Any] = without_vaulted(result, texts)
    for name in ("results", "undeclared"):
        for before, after in zip(result.get(name) or [], hidden.get(name) or []):
            after.update({key: before[key] for key in OF_ENTRIES if key in before})
            for gone, shown in zip(before.get("along") or [], after.get("along") or []):
                shown["kind"] = gone["kind"]
    return {**hidden, **{key: result[key] for key in ("steps",) if key in result}}


def _texts(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _texts(part)
    elif isinstance(value, str):
        yield value


def _hidden(value: Any, texts: Collection[str], long: list[str]) -> Any:
    if isinstance(value, str):
        return WHOLE if value in texts else masked(value, long)
    if isinstance(value, dict):
        return {key: _hidden(part, texts, long) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_hidden(part, texts, long) for part in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):  # core's own warnings and errors
        fields = [field.name for field in dataclasses.fields(value) if field.init]
        return dataclasses.replace(value, **{name: _hidden(getattr(value, name), texts, long) for name in fields})
    return value
