# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is stored of projects and aliases, and what a run says of those that are kept."""

from collections import Counter
from typing import Any

from emulated import ControlledEmulator

NIGHTS = 3


def projects_of_acme(*names: str) -> list[dict[str, Any]]:
    return [{"name": name, "team": "acme"} for name in names]


def projects(emulator: ControlledEmulator) -> dict[str, str]:
    """The stored projects: id by name."""
    return {project["name"]: project["id"] for project in emulator.state()["projects"]}


def aliases(emulator: ControlledEmulator) -> dict[str, int]:
    return {alias["alias"]: alias["id"] for alias in emulator.state()["aliases"]}


def names(emulator: ControlledEmulator, kind: str = "projects", field: str = "name") -> list[str]:
    return sorted(record[field] for record in emulator.state()[kind])


def count_reasons(result: dict[str, Any]) -> Counter[tuple[str, str, str | None]]:
    """How many results have this kind, action and reason."""
    return Counter((row["kind"], row["action"], row["reason"]) for row in result["results"])


def assert_guarded(result: dict[str, Any], guard: str, *said: str) -> None:
    """The run was refused by this guard alone, whose message says these words."""
    assert result["refused"] is True
    assert {refusal["guard"] for refusal in result["refusals"]} == {guard}
    messages = " ".join(refusal["message"] for refusal in result["refusals"])
    assert [words for words in said if words not in messages] == []
