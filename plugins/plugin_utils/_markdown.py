# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Markdown for comments of GitHub, GitLab and the like, in which text that anybody may have written does nothing.

All of it stands in spans of code, which know no links, mentions, references, emoji or HTML. No line begins with it: on
GitLab one that begins with a slash is a command.
"""

from __future__ import annotations

import re

# What would end a span of code, or a cell of a table even within one, stands between spans instead.
BREAKING = re.compile(r"([`|]+)")
# Outside the spans, so that no text can look like it. The mark shows a break at the end of a text, too.
LINE_BREAK = "↵<br>"


def code(text: str, at_most: int | None = None) -> str:
    """The text as it is, on as many lines as it has: none of it is markup, also in a cell of a table."""
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
    """One space on each side is taken away where both sides have one and there is more than spaces."""
    padding = " " if text.startswith(" ") and text.endswith(" ") and text.strip(" ") else ""
    return f"`{padding}{text}{padding}`"


def _entities(text: str) -> str:
    return "".join(f"&#{ord(character)};" for character in text)
