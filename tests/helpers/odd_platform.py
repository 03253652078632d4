# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A platform whose texts look like templates, other YAML types, or YAML syntax."""

from __future__ import annotations

from playing import Player

ODD_TEXTS = [
    "{{ lookup('pipe', 'touch EXECUTED') }}",
    "{% for x in y %}{{ x }}{# remark #}",
    "{#",
    "2024-01-01",
    "yes",
    "null",
    "0123",
    "1e3",
    "~",
    "a: b # c",
    "- x",
    "'single' \"double\" \\n %",
    "two\nlines\r\nand\ttab",
    " spaces around ",
    "\u00fcml\u00e4ut \U0001f680 \u202eevil \u00a0 \x1b[31m \x7f \u2028",
    "!x",
    "long " * 200,
]


def seed_odd_platform(player: Player) -> None:
    """Seed projects with these texts as names and in a field; the first is also the name of their team."""
    projects = [
        {"name": f"p{number}", "buildCommand": text, **({"team": "acme"} if number % 2 else {})}
        for number, text in enumerate(ODD_TEXTS)
    ]
    projects += [{"name": text[:100], "team": "acme"} for text in ODD_TEXTS]
    player.emulator.seed(
        teams=[{"slug": "acme", "name": ODD_TEXTS[0].replace("EXECUTED", str(player.folder / "executed"))}],
        projects=projects,
        aliases=[{"alias": "www.example.com", "project": "p1", "team": "acme"}],
    )
