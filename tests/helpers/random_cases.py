# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What random cases have in common: all of one is drawn from its generator."""

from random import Random


class RandomCase:
    """A test that fails shows all of it."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def __repr__(self) -> str:
        return f"{type(self).__name__}({vars(self) | {'random': None}})"

    def happens(self, percent: int) -> bool:
        return self.random.randint(1, 100) > 100 - percent
