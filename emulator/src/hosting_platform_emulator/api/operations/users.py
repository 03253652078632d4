# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The authenticated user (§4)."""

from __future__ import annotations

from ..call import Answer, Call
from ..operation import operation


@operation("GET /user")
def get_user(call: Call) -> Answer:
    return Answer(content=call.shown("users", call.caller))
