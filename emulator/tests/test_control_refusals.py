# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Requests to the control API that are refused: each says why, and changes nothing of what a
snapshot holds. Their paths stand here without `/_emulator/`.
"""

from typing import Any

import pytest

from support import (
    LONE_SURROGATE,
    OWNER_EMAIL,
    Api,
    Refused,
    assert_refused_without_effect,
    each_refused,
    pairs,
)

MANY_DIGITS = "9" * 5000
LATEST = 4_102_444_800_000
RIGHT = {"seed": {"projects": [{"name": "web"}]}, "switches": {"not_found": 403}}
RATES = (
    "",
    "3",
    "0/10",
    "3/0",
    "3/0.0",
    "-3/10",
    "3/10/1",
    "3/1e3",
    "3 / 10",
    "3/\u0661",
    "9999999/1",
)
FAULT = {"operation": "GET /user", "fault": "500"}


def faults(**values: list[object]) -> list[dict[str, object]]:
    return [{**FAULT, name: value} for name, value in pairs(values)]


def team(**fields: object) -> dict[str, object]:
    return {"teams": [{"slug": "acme", **fields}]}


REFUSED: list[Refused] = [
    (
        "PATCH switches",
        "there are: not_found, ",
        [{"ids": "numeric", "nothing": 1}, LONE_SURROGATE],
    ),
    (
        "PATCH switches",
        "`not_found` takes 404, 400, 403; it",
        [{"ids": "numeric", "not_found": 418}],
    ),
    (
        "PATCH switches",
        "at least 0 (0), and",
        [{"limit_cap": value} for value in (-1, True, "\u00b2", MANY_DIGITS)],
    ),
    ("PATCH switches", "at least 1", [{"default_limit": 0}]),
    ("PATCH switches", "any name", [{"join_parameter": ""}, {"join_parameter": "\ud800"}]),
    ("PATCH switches", "N/SECONDS", [{"rate_limit": rate} for rate in RATES]),
    ("PATCH switches", "N/SECONDS", [{"rate_limit": 3}, {"rate_limit": None}, {"rate_limit": {}}]),
    ("POST faults", "operation", [{}, *faults(operation=["GET /nothing", []])]),
    ("POST faults", "fault", [LONE_SURROGATE, *faults(fault=["418", []], surprise=[1])]),
    ("POST faults", "`when` of a fault is one of before, after", faults(when=["during", 1])),
    (
        "POST faults",
        "whole number",
        faults(count=["many", 1.5, -1, True], skip=[-1, []], seed=["x"]),
    ),
    ("POST faults", "a number from 0", faults(probability=[2, "nan"], delay=["nan", -1, "1e400"])),
    (
        "POST faults",
        "retry_after",
        faults(retry_after=["date:soon", "date:1e300", "a\r\nX-Y: z", "\u20ac"]),
    ),
    (
        "POST faults",
        "`request` belongs to the fault concurrent",
        faults(request=["GET /user"], fault=["concurrent"]),
    ),
    (
        "POST faults",
        "`request` of a fault",
        faults(request=["GET /nothing", "GET", 5, "GET /user\n"]),
    ),
    ("POST faults", "`body` of a fault", faults(body=["{}", [], 5])),
    ("DELETE faults", "surprise", [{"surprise": 1}]),
    ("POST reset", "", [{"seed": "no"}, [], 1]),
    (
        "POST clock",
        "advance",
        [{"advance": value} for value in (-1, "soon", "nan", True, None, 10**400)],
    ),
    (
        "POST clock",
        "clock",
        [{"now": -1}, {"now": LATEST + 1}, {"now": LATEST, "advance": 1}, {"surprise": 1}],
    ),
    ("POST seed", "castles", [{"castles": []}]),
    (
        "POST seed",
        "list",
        [{"projects": {}}, team(members=None), team(members=[1]), team(members="x")],
    ),
    ("POST seed", "surprise", [{"projects": [{"name": "web", "surprise": 1}]}]),
    ("POST seed", "name", [{"projects": [{}]}, {"projects": [{"name": 5}]}]),
    (
        "POST seed",
        "nobody",
        [{"projects": [{"name": "web", field: "nobody"}]} for field in ("team", "owner")],
    ),
    ("POST seed", "nobody", [{"aliases": [{"alias": "a.b", "project": "nobody"}]}]),
    ("POST seed", "owner", [team(members=[{"email": OWNER_EMAIL, "role": "MEMBER"}])]),
    ("POST seed", "", [LONE_SURROGATE, team(slug=None), team(slug="\ud800"), team(inviteCode=1)]),
    (
        "POST seed",
        "token",
        [{"users": [{"email": "a@example.com", "token": token}]} for token in ("two words", "")],
    ),
    ("POST seed", "createdAt", [{"domains": [{"name": "example.com", "createdAt": 2**63 - 1}]}]),
    ("POST scenario", "`switches` must be an object", [{"switches": 5}]),
    ("POST scenario", "`faults` must be a list", [{"faults": {}}, {"faults": ["reset"]}]),
    ("POST scenario", "418", [{**RIGHT, "switches": {"not_found": 418}}]),
    ("POST scenario", "name", [{**RIGHT, "seed": {"projects": [{}]}, "faults": []}]),
    ("POST scenario", "operation", [{**RIGHT, "faults": [{}]}]),
    ("GET state", "surprise", [{"surprise": 1}]),
    *(
        ("GET state?surprise=1", "surprise", [None]),
        ("GET requests?surprise=1", "surprise", [None]),
    ),
    *(
        (f"GET requests?after={value}", "after", [None])
        for value in ("%C2%B2", "-1", "x", MANY_DIGITS)
    ),
]


@pytest.mark.parametrize(("operation", "part", "document"), each_refused(REFUSED))
def test_refusal_changes_nothing(api: Api, operation: str, part: str, document: Any) -> None:
    line = operation.replace(" ", " /_emulator/")
    assert_refused_without_effect(api, line, document, part)
