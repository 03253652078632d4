# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The user whose token is used (section 4 of the specification, "Users")."""

from __future__ import annotations

import typing as t

from .._fields import USER, Values
from ._platform import Platform


def read_user(platform: Platform, _options: t.Mapping[str, t.Any]) -> Values:
    return USER.result(platform.api.get_user())
