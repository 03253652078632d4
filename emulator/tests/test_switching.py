# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Switches as such, and those that take time."""

from __future__ import annotations

import asyncio
import time
from importlib import import_module

import httpx

from hosting_platform_emulator.state.switches import SWITCHES
from support import COVERED, OWNER_TOKEN, Api, under


@under("latency_ms", 400)
def test_latency_overlaps(api: Api, switched: int) -> None:
    async def twenty_at_once() -> float:
        async with httpx.AsyncClient(base_url=api.address, headers=dict(api.headers)) as client:
            before = time.perf_counter()
            answers = await asyncio.gather(*(client.get("/user") for _ in range(20)))
            assert all(answer.is_success for answer in answers)
            return time.perf_counter() - before

    taken = asyncio.run(twenty_at_once())
    assert taken >= switched / 1000
    if switched:
        assert taken < 20 * switched / 1000


@under("connect_latency_ms", 1000)
def test_connect_latency(api: Api, switched: int) -> None:
    with api.as_user(OWNER_TOKEN) as client:
        first, second = (client.get("/user").elapsed.total_seconds() for _ in range(2))
    assert first >= switched / 1000
    if switched:
        assert second < switched / 1000


def test_numbers_may_be_given_as_text(api: Api) -> None:
    given = {"not_found": "400", "limit_cap": "5", "extra_fields": "true", "duplicate_names": "allowed"}
    expected = {"not_found": 400, "limit_cap": 5, "extra_fields": True, "duplicate_names": "allowed"}
    switches = api.control.switch(**given)
    assert {name: switches[name] for name in expected} == expected


def test_defaults_come_back(api: Api) -> None:
    before = api.get("/_emulator/switches").json()
    assert api.control.switch(not_found=403, limit_cap=3) != before
    assert api.delete("/_emulator/switches").json() == before


def test_every_switch_has_a_test_under_its_values() -> None:
    """Under each, or under its default and another."""
    for name in ("test_paging", "test_rate_limit", "test_switches"):
        import_module(name)
    assert SWITCHES.keys() == COVERED
