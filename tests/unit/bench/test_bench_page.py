# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The page that the bench makes of its figures; how long anything takes is no test's business."""

from __future__ import annotations

from xml.etree import ElementTree

import bench_page
import bench_plot
import pytest
from bench_loops import CREATE, DEBUG, PROJECT, Loops, label
from bench_page import Goal
from bench_playing import Seconds, Times


def times_of(**seconds):
    times = Times()
    for what, rounds in seconds.items():
        times.add(what, *(Seconds(number, number / 2) for number in rounds))
    return times


def loops_of(times):
    return Loops(times, times, times, times, {})


def test_ratio_is_that_of_most_rounds_whatever_the_speed_of_the_machine():
    times = times_of(ours=[3, 300, 30, 1], other=[2, 200, 20])
    assert times.ratio("ours", "other") == 1.5
    assert times.processor_ratio("ours", "other") == 1.5


def test_tasks_of_a_round_are_added():
    times = times_of(one=[3, 100, 2], other=[2, 1, 90])
    times.add_together("both", ["one", "other"])
    assert times.median("both") == 92
    assert times.ratio("both", "one") == 5 / 3


@pytest.mark.parametrize(
    ("goal", "reached"),
    [
        (Goal("work", 1.5, at_most=1.5), "yes"),
        (Goal("work", 1.51, at_most=1.5), "**no**"),
        (Goal("work", 50, at_least=50), "yes"),
        (Goal("work", 49.9, at_least=50), "**no**"),
    ],
)
def test_goal_says_whether_it_is_reached(goal, reached):
    assert goal.row()[-1] == reached


def test_results_replace_those_of_their_core_only(tmp_path):
    page = tmp_path / "page.md"
    place = "<!-- results of ansible-core {} -->\n{}<!-- end of results -->\n"
    page.write_text("Before\n" + place.format("2.21", "old 21\n") + place.format("2.16", "old 16\n") + "After\n")
    assert bench_page.put(page, "2.21", "new 21\n")
    assert not bench_page.put(page, "2.18", "new 18\n")
    expected = place.format("2.21", "\nnew 21\n\n") + place.format("2.16", "old 16\n")
    assert page.read_text() == f"Before\n{expected}After\n"


def test_plot_is_svg_with_a_bar_for_each_measured_task_near_and_far():
    times = Times()
    for name in (DEBUG, PROJECT, CREATE):
        times.add(label(name, bench_plot.SIZE), Seconds(1, 1))
    root = ElementTree.fromstring(bench_plot.plot(loops_of(times)))  # noqa: S314 (our own text)
    bars = [rect for rect in root.findall("{*}rect") if rect.get("class") != "page"]
    assert len(bars) == 2 * 3
