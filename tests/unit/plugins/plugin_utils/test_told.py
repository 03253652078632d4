# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said once in a play is said once, whichever process says it."""

from __future__ import annotations

import multiprocessing
from types import SimpleNamespace

from ansible_collections.hosting.platform.plugins.plugin_utils._told import MOST, Told


def play_of(name):
    return SimpleNamespace(get_name=lambda: name)


def in_a_fork(function):
    """The function's answer from a process of its own."""
    context = multiprocessing.get_context("fork")
    answers = context.SimpleQueue()
    process = context.Process(target=lambda: answers.put(function()))
    process.start()
    answer = answers.get()
    process.join()
    return answer


def test_a_line_is_new_once_in_each_play():
    told, first, second = Told(), play_of("a"), play_of("b")
    said = [in_a_fork(lambda play=play: told.is_new(play, "become")) for play in (first, first, second, first)]
    assert said == [True, False, True, False]
    assert told.is_new(first, "async")
    assert not told.is_new(second, "become")


def test_more_lines_than_there_is_place_for_are_left_unsaid():
    told, play = Told(), play_of("a")
    assert all(told.is_new(play, str(number)) for number in range(MOST))
    assert not told.is_new(play, "one more")
    assert not told.is_new(play, "0")
