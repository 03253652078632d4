# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Markdown for comments on GitHub, GitLab and the like, in which untrusted text has no effect.

All such text is put in code spans, in which links, mentions, references, emoji and HTML have no meaning. No line begins
with it, as on GitLab a line that begins with a slash is a command.
"""

from __future__ import annotations

import re

# Characters that would end a code span, or a table cell even inside one, are placed between spans instead.
BREAKING = re.compile(r"([`|]+)")
# Outside the spans, so that no text can imitate it. The arrow makes a line break at the end of a text visible, too.
LINE_BREAK = "↵<br>"


def code(text: str, at_most: int | None = None) -> str:
    """The text verbatim, with its line breaks: none of it is markup, even in a table cell."""
    if not text:
        return "*empty*"
    if at_most is not None and len(text) > at_most:
        return f"{code(text[:at_most])} … ({len(text):,} characters, cut)"
    return LINE_BREAK.join(map(_line, text.split("\n")))


def row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |\n"


def head(*titles: str) -> str:
    return row(*titles) + row(*("---" for _title in titles))


def _line(text: str) -> str:
    parts = BREAKING.split(text)
    return "".join(_entities(part) if index % 2 else _span(part) for index, part in enumerate(parts) if part)


def _span(text: str) -> str:
    """A code span; Markdown strips one space from each side if both have one and there is more than spaces."""
    padding = " " if text.startswith(" ") and text.endswith(" ") and text.strip(" ") else ""
    return f"`{padding}{text}{padding}`"


def _entities(text: str) -> str:
    return "".join(f"&#{ord(character)};" for character in text)
