# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Variables that look like options of a role, and options in messages as the reader of a role sets them."""

from ansible_collections.hosting.platform.plugins.plugin_utils._in_process import TaskRun
from ansible_collections.hosting.platform.plugins.plugin_utils._options import add_role_prefix, role_name


def test_option_at_the_beginning_of_a_line_gets_the_prefix():
    message = "only[0].kind: unknown\nprune_limit must be\nprojects[0]: wrong\nonly-one: no option\nconverge_only: said"
    paths = "\nonly/x.yml:1: unknown key\nonly.yml:1: unknown key"
    assert add_role_prefix(message + paths, {"only", "prune_limit"}, "converge_") == (
        "converge_only[0].kind: unknown\nconverge_prune_limit must be\nprojects[0]: wrong\n"
        "converge_only-one: no option\nconverge_only: said" + paths
    )


def test_warnings_of_an_action_plugin_are_escaped():
    assert TaskRun({}, "", ["a\x1b[31m"]).with_warnings({}) == {"warnings": ["a\\u001b[31m"]}


def test_only_a_role_of_this_collection_prefixes_options():
    names = ("hosting.platform.converge", "hosting.platform.nope", "converge", "hosting.platform.", "../converge")
    assert [role_name({"ansible_role_name": name}) for name in names] == ["converge", "", "", "", ""]
