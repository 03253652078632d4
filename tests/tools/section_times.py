# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How long each section of `make test` took, from the report of nox."""

import json
import sys
from pathlib import Path
from typing import Any


def table(sessions: list[dict[str, Any]]) -> str:
    """A line for each section, the longest first, and the sum of all."""
    rows = [(f"{one['duration']:6.0f} s", one["name"], one["result"]) for one in sessions]
    rows.sort(reverse=True)
    total = sum(one["duration"] for one in sessions)
    rows.append((f"{total:6.0f} s", "all, one after the other", ""))
    return "\n".join("  ".join(row).rstrip() for row in rows)


if __name__ == "__main__":
    report = Path(sys.argv[1])
    print(table(json.loads(report.read_text(encoding="utf-8"))["sessions"]))
