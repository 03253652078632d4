# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The times that make test prints at its end."""

from section_times import table


def test_the_longest_section_is_the_first() -> None:
    sessions = [
        {"name": "docs", "result": "success", "duration": 29.6},
        {"name": "integration", "result": "failed", "duration": 201.4},
    ]
    assert table(sessions).splitlines() == [
        "   201 s  integration  failed",
        "    30 s  docs  success",
        "   231 s  all, one after the other",
    ]
