# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The 22 operations of §4, each registered by importing the module that holds it."""

from ..operation import OPERATIONS
from . import domains, login, projects, teams

__all__ = ["OPERATIONS", "domains", "login", "projects", "teams"]
