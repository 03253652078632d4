# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The hosting platform's management API over HTTP, with stored state."""

from .testing.client import ControlError, HostingPlatform
from .testing.launching import StartFailed, running

__all__ = ["ControlError", "HostingPlatform", "StartFailed", "running"]
__version__ = "1.1.0-dev0"
