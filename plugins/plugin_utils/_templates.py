# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The text that ansible-core takes for a template."""

from __future__ import annotations

import functools
import typing as t

from ansible.template import Templar

# What begins a template in every ansible-core so far. The one that reads a text is not always the one that wrote it.
MARKS = ("{{", "{%", "{#")
# Text that begins so brings its own marks.
OVERRIDE = "#jinja2:"


def is_template(text: str) -> bool:
    """Whether some ansible-core takes the text for a template: any that is known, or the one that runs."""
    return text.startswith(OVERRIDE) or any(mark in text for mark in MARKS) or _running_core()(text)


@functools.lru_cache(maxsize=1)
def _running_core() -> t.Callable[[str], bool]:
    return t.cast("t.Callable[[str], bool]", Templar(loader=None).is_possibly_template)
