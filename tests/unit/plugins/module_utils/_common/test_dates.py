# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import datetime

import pytest

from ansible_collections.hosting.platform.plugins.module_utils._common.dates import MARK, as_text, marked, unmarked

DATE = datetime.date(2026, 1, 31)
TIME = datetime.datetime(2026, 1, 31, 3, 14, tzinfo=datetime.timezone.utc)


def test_without_a_date_nothing_is_copied() -> None:
    options = {"name": "web", "list": [1, {"of": None}], "pair": ("a", True)}

    assert marked(options) is options
    assert unmarked(options) is options
    assert as_text(options) is options


@pytest.mark.parametrize("content", ["no date", 3, None])
def test_what_only_looks_like_a_mark(content: object) -> None:
    assert unmarked({MARK: content}) == {MARK: content}


def test_as_text() -> None:
    assert as_text({"a": [DATE, TIME]}) == {"a": ["2026-01-31", "2026-01-31T03:14:00+00:00"]}
