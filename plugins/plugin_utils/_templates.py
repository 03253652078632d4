# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Text of the service, as ansible-core may have it: what could run is told from what is plain."""

from __future__ import annotations

import functools
import io
from collections.abc import Callable
from typing import Any, cast

from ansible import template
from ansible.parsing.yaml.dumper import AnsibleDumper

from ansible_collections.hosting.platform.plugins.module_utils._reserved import without_reserved_keys

# What begins a template in every ansible-core so far. The one that reads a text is not always the one that wrote it.
MARKS = ("{{", "{%", "{#")
# Text that begins so brings its own marks.
OVERRIDE = "#jinja2:"


def is_template(text: str) -> bool:
    """Return whether some ansible-core takes the text for a template: any that is known, or the one that runs."""
    return text.startswith(OVERRIDE) or any(mark in text for mark in MARKS) or _running_core()(text)


@functools.lru_cache(maxsize=1)
def _running_core() -> Callable[[str], bool]:
    return cast("Callable[[str], bool]", template.Templar(loader=None).is_possibly_template)


def as_data(value: Any) -> Any:
    """The value as a variable whose text never runs."""
    return as_it_is(without_reserved_keys(value))


def as_listed(value: Any, in_yaml: bool = False) -> Any:
    """The value for a list that others read, with marks only where they are needed: they are listed too."""

    def listed(text: str) -> str:
        if not is_template(text):
            return _unmarked(text)
        return _unsafe_in_yaml()(text) if in_yaml else text

    return _each_text(without_reserved_keys(value), listed)


@functools.lru_cache(maxsize=1)
def _unsafe_in_yaml() -> type[str]:
    """The kind of text that core writes into YAML with the mark by which it does not run. Of itself it marks none."""

    class Unsafe(str):
        __slots__ = ()

    # In later core what is imported only makes the dumper.
    type(AnsibleDumper(io.StringIO())).add_representer(
        Unsafe, lambda dumper, text: dumper.represent_scalar("!unsafe", str(text))
    )
    return Unsafe


if hasattr(template, "trust_as_template"):

    def as_it_is(value: Any) -> Any:
        """The value: all that core was not told to trust is data."""
        return value

    def _unmarked(text: str) -> str:
        """The text, which is listed as it is where core trusts it."""
        return template.trust_as_template(text)
else:
    from ansible.utils.unsafe_proxy import wrap_var as as_it_is

    def _unmarked(text: str) -> str:
        """The text, and not its kind that bears the mark."""
        return str.__str__(text)


def _each_text(value: Any, change: Callable[[str], Any]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {key: _each_text(part, change) for key, part in value.items()}
    if isinstance(value, list):
        return [_each_text(part, change) for part in value]
    return value
