# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Text from the service, made safe for ansible-core: possible templates are distinguished from plain text."""

from __future__ import annotations

import functools
import io
from collections.abc import Callable
from typing import Any, cast

from ansible import template
from ansible.parsing.yaml.dumper import AnsibleDumper

from ..module_utils._run.module import replace_in, without_reserved_keys

# The start of a template in every ansible-core so far. The core that reads a text may not be the one that wrote it.
MARKS = ("{{", "{%", "{#")
# Text with this prefix defines its own delimiters.
OVERRIDE = "#jinja2:"


def is_template(text: str) -> bool:
    """Return whether any known ansible-core, or the running one, takes the text for a template."""
    return text.startswith(OVERRIDE) or any(mark in text for mark in MARKS) or _running_core()(text)


@functools.lru_cache(maxsize=1)
def _running_core() -> Callable[[str], bool]:
    return cast("Callable[[str], bool]", template.Templar(loader=None).is_possibly_template)


def as_data(value: Any) -> Any:
    """The value as a variable whose text is never evaluated."""
    return as_it_is(without_reserved_keys(value))


def as_listed(value: Any, in_yaml: bool = False) -> Any:
    """The value for output, marked unsafe only where necessary, as the marks are printed too."""

    def listed(part: Any) -> Any:
        if not isinstance(part, str):
            return part
        if not is_template(part):
            return as_trusted(part)
        return _unsafe_in_yaml()(part) if in_yaml else part

    return replace_in(without_reserved_keys(value), listed)


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
