# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The user whose token is used (section 4 of the specification, "Users")."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..fields import Fields, Values, read_only
from ..platform import Platform

USER = Fields(*read_only("id", "username", "name", "email", "createdAt", "updatedAt"))


def read_user(platform: Platform, _options: Mapping[str, Any]) -> Values:
    return USER.result(platform.api.get_user())
