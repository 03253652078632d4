# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The plugin that pytest discovers: the fixture `hosting_platform`."""

from collections.abc import Iterator

import pytest

from .client import HostingPlatform
from .launching import running


@pytest.fixture(scope="session")
def _hosting_platform_process() -> Iterator[HostingPlatform]:
    """One emulator for all tests of a process: starting one takes longer than resetting it."""
    with running() as platform:
        yield platform


@pytest.fixture
def hosting_platform(_hosting_platform_process: HostingPlatform) -> HostingPlatform:
    """The hosting platform's emulator, empty, and on a port of its own."""
    _hosting_platform_process.reset()
    return _hosting_platform_process
