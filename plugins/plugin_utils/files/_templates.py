# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Templates of ansible-core: which text it takes for one, and values in which it evaluates none."""

from __future__ import annotations

from typing import Any

from ansible import template

from ...module_utils._run.module import without_reserved_keys

# The start of a template in every ansible-core so far. The core that reads a text may not be the
# one that wrote it.
TEMPLATE_MARKERS = ("{{", "{%", "{#")
# Text with this prefix defines its own delimiters.
OVERRIDE = "#jinja2:"


def is_template(text: str) -> bool:
    """True if an ansible-core takes the text for a template."""
    return text.startswith(OVERRIDE) or any(mark in text for mark in TEMPLATE_MARKERS)


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
