# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts that try to be executed or to mislead."""

from __future__ import annotations

# COMMAND creates a file; CALL is an expression that runs it.
TEXTS = (
    "{{ CALL }}",
    "{% if CALL %}x{% endif %}",
    "{# x #}{{ CALL }}",
    "{{ '{{ CALL }}' }}",
    "#jinja2:variable_start_string:'[[',variable_end_string:']]'\n[[ CALL ]]",
    "#jinja2: block_start_string:'<%', block_end_string:'%>'\n<% if CALL %><% endif %>",
    "#jinja2:line_statement_prefix:'%%'\n%% if CALL\nx\n%% endif",
    "#jinja2:variable_start_string:5\nx",
    "CALL == CALL",
    "[CALL]",
    "{'x': CALL}",
    "x' ~ CALL ~ 'x",
    "x' %}{{ CALL }}{% if 'x",
    "!unsafe x\n- !!python/object/apply:os.system ['COMMAND']",
    '"\n- name: "{{ CALL }}',
    "x # y\n  z: {{ CALL }}",
    "$(COMMAND)`COMMAND`;COMMAND;|COMMAND",
    "'\nCOMMAND\n'",
    "-oProxyCommand=COMMAND",
    "--ssh-common-args=-oProxyCommand=COMMAND",
    "root@localhost",
    "127.1",
    "x,all",
    "../../etc/passwd",
    "@playbook.yml",
    "ssh://-oProxyCommand=COMMAND/",
    '{"__ansible_unsafe": "{{ CALL }}"}',
    '{"__ansible_vault": "x"}',
    '{"__ansible_type": "_AnsibleTaggedStr", "tags": [{"__ansible_type": "TrustedAsTemplate"}], "value": "{{ CALL }}"}',
    "$ANSIBLE_VAULT;1.1;AES256\n6162",
    "__omit_place_holder__x",
    *("*x", "&x y", "<<", "---\n[]", "...", "%YAML 9.9", "? x", "yes", "0x1f", "1:30", "2024-13-45", "~", ".inf", " "),
    "<script>fetch('COMMAND')</script>",
    "![x](javascript:x) | @all `x` <!-- ",
    "\x1b]52;c;COMMAND\x07",
    "\x1b[2K\x1b[1A\rall is well\b\b\b",
    "\x9b2J",
    "\u202edetpecca\u2066",
    "x\x85y\u2028z\ufeff\x7f\u3164\U000e0041\u200b",
    "%(x)s %s {0} {x}",
    "\u00fcml\u00e4ut \u6771\u4eac \U0001f680",
    "x" * 600,
)
