# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Variables that look like options of a role, and options in messages as the reader of a role sets them."""

from ansible_collections.hosting.platform.plugins.plugin_utils._options import add_role_prefix


def test_option_at_the_beginning_of_a_line_gets_the_prefix():
    message = "only[0].kind: unknown\nprune_limit must be\nprojects[0]: wrong\nonly-one: no option\nconverge_only: said"
    assert add_role_prefix(message, {"only", "prune_limit"}, "converge_") == (
        "converge_only[0].kind: unknown\nconverge_prune_limit must be\nprojects[0]: wrong\n"
        "converge_only-one: no option\nconverge_only: said"
    )
