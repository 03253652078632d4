# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The ids of steps: equal in check and run, however the platform is shown, and however many workers there are."""

from __future__ import annotations

import re
from dataclasses import replace

from blueprints import BEFORE_EVERY_CHANGE, EVERY_CHANGE, converge
from hypothesis import given
from platforms import presentations
from sampling import examples
from scripted import Answer, Asked, passed_on, scripted


@examples(30)
@given(shown=presentations)
def test_no_switches_together_change_an_id(running, shown):
    running.reset()
    running.seed(**BEFORE_EVERY_CHANGE)
    plain = converge(running.base_url, EVERY_CHANGE, check_mode=True)["steps"]
    running.switch(**shown)
    assert converge(running.base_url, EVERY_CHANGE, check_mode=True)["steps"] == plain


def test_ids_of_digits_may_be_text_or_numbers(emulator):
    emulator.switch(ids="numeric")
    emulator.seed(**BEFORE_EVERY_CHANGE)
    rewritten: list[str] = []

    def relay(asked: Asked) -> Answer:
        answer = passed_on(emulator, asked)
        body, count = re.subn(rb'("\w*[iI]d":\s*)"(\d+)"', rb"\1\2", answer.body) if rewritten else (answer.body, 0)
        rewritten.extend([asked.target] * bool(count))
        return replace(answer, body=body)

    with scripted(relay) as server:
        text = converge(server.base_url, EVERY_CHANGE, check_mode=True)
        rewritten.append("from now on")
        numbers = converge(server.base_url, EVERY_CHANGE, check_mode=True)
    assert len(rewritten) > len(BEFORE_EVERY_CHANGE["teams"])
    assert numbers["results"] == text["results"]
