# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Private names of ansible-core that the in-process path uses, and what a coming core may do with it."""

from __future__ import annotations

from core_edits import (
    ACTION,
    ACTIONS,
    BASIC,
    JSON,
    PARAMETERS,
    SILENT,
    TRACEBACK,
    WARNINGS,
    added,
    change,
    dead,
    forwarding,
    moved,
    renamed,
    renamed_argument,
    replaced,
    unprepared,
    version,
)
from scenarios import HERE

# By name: what uses it, and what becomes of a task where it is gone. ELSEWHERE: it gets a module process.
PRIVATE_NAMES = {
    "ansible.plugins.action.normal": "the base of every action plugin: a class of our own takes its place",
    "ActionBase._execute_module": "overridden: where core no longer calls it, core runs the module as any other",
    "ActionBase._configure_module": "overridden: core builds its payload, whose command is refused, ELSEWHERE",
    "ActionBase._compute_environment_string": "read: the environment of a task, ELSEWHERE",
    "ActionBase._task": "read: ELSEWHERE",
    "ActionBase._connection": "read: ELSEWHERE",
    "ActionBase._play_context": "read: ELSEWHERE",
    "ActionBase._loader": "read: ELSEWHERE",
    "ActionBase._templar": "read, for an interpreter that is a template: ELSEWHERE",
    "ConnectionBase._connect": "called, ELSEWHERE",
    "ConnectionBase.always_pipeline_modules": "set: core makes a temporary directory, which is refused, ELSEWHERE",
    "basic._ANSIBLE_ARGS": "replaced: the rehearsal has no arguments, ELSEWHERE",
    "basic._ANSIBLE_PROFILE": "replaced: ELSEWHERE",
    "basic._PARSED_MODULE_ARGS": "replaced: ELSEWHERE",
    "basic.atexit": "replaced: the rehearsal leaves a directory, ELSEWHERE",
    "warnings._global_warnings": "replaced: the rehearsal tells warnings of another run, ELSEWHERE",
    "warnings._global_deprecations": "replaced: likewise, ELSEWHERE",
    "_internal.is_controller": "replaced: the rehearsal tells no warnings, ELSEWHERE",
    "_traceback._is_traceback_enabled": "replaced: the rehearsal has no tracebacks, ELSEWHERE",
    "_traceback._is_module_traceback_enabled": "read: ELSEWHERE",
    "_traceback._module_tracebacks_enabled_events": "replaced: ELSEWHERE",
    "_traceback.is_traceback_enabled": "called in the rehearsal: ELSEWHERE",
    "_traceback.TracebackEvent": "read in the rehearsal: ELSEWHERE",
    "ansible.module_utils._internal": "imported: ELSEWHERE",
    "ansible.module_utils._internal._traceback": "imported: ELSEWHERE",
    "ansible.module_utils._internal._ansiballz._loader": "imported: ELSEWHERE",
    "_loader._handle_exception": "called after a crash: the traceback as it is",
    "_secrets._secret_masker": "read: ELSEWHERE",
    "SecretMasker._new_secret_trackers": "emptied: ELSEWHERE",
    "module_common._BuiltModule": "made: ELSEWHERE",
    "json.get_module_encoder": "called: ELSEWHERE",
    "json.Direction": "read: ELSEWHERE",
    "json.AnsibleJSONEncoder": "read, until 2.18: ELSEWHERE",
    "_json._profiles._module_legacy_c2m": "imported: ELSEWHERE",
    "_json._profiles._module_legacy_m2c": "imported: ELSEWHERE",
    "_ansible_check_mode": "compared with the task: ELSEWHERE",
    "_ansible_no_log": "given in the rehearsal, whose options core then does not know: ELSEWHERE",
    "_ansible_remote_tmp": "likewise",
    "_ansible_keep_remote_files": "likewise",
    "_ansible_tmpdir": "likewise",
    "_ansible_tracebacks_for": "likewise",
    "AnsibleModule._load_params": "overridden, either way: what AnsibleModule would turn into text is not refused",
    "_task.UnifiedTaskResult": "called in the rehearsal: every worker works its fields out by itself",
}

# What core documents for the authors of inventory plugins: without it there would be none, neither ours nor others.
DOCUMENTED_FOR_INVENTORIES = {
    "_add_host_to_composed_groups",
    "_add_host_to_keyed_groups",
    "_cache",
    "_read_config_data",
    "_set_composite_vars",
}

REST = "task_vars, False, None, wrap_async"
CONFIGURE = r"(?<=_configure_module)\(module_name=module_name, module_args=module_args, task_vars=task_vars\)"
CALL = r"_execute_module\(task_vars=task_vars, wrap_async=wrap_async\)"
EXEC = r"exec_command\(cmd, in_data=in_data, sudoable=sudoable\)"
BREAKS = "\n\ndef __getattr__(name):\n    raise (AttributeError if name.startswith('__') else RuntimeError)(name)\n"
INTERNAL = "module_utils/_internal/__init__.py"
MODULES = "executor/module_common.py"
LEGACY = f"{JSON}/_profiles/_module_legacy_{{}}.py"
ATEXIT = "import atexit as _atexit"

CHANGES = [
    change("nothing", added("\n", BASIC), way=HERE),
    unprepared("a version that nobody has seen", *version("2.99.0")),
    unprepared("a version that is no number", *version("devel")),
    # The action plugin and what it inherits.
    change(
        "normal moved",
        moved("plugins/action/normal.py", "plugins/action/ordinary.py"),
        replaced(r"ansible\.legacy\.normal", "ansible.legacy.ordinary"),
        way=HERE,
    ),
    change("_execute_module renamed", renamed("_execute_module"), way=SILENT),
    change("_execute_module dead", renamed("_execute_module"), forwarding("_execute_module"), way=SILENT),
    change("task_vars positional", replaced(CALL, f"_execute_module(None, None, None, {REST})", ACTIONS)),
    change(
        "another keyword of _execute_module",
        replaced(CALL, "_execute_module(task_vars=task_vars, wrap_async=wrap_async, profile=None)", ACTIONS),
        replaced(r"(def _execute_module\(\s*self,)", r"\1 profile=None,", ACTION),
    ),
    change("module_args renamed", renamed("module_args")),
    change("_configure_module renamed", renamed("_configure_module")),
    change("_configure_module dead", renamed("_configure_module"), forwarding("_configure_module")),
    change("_configure_module positional", replaced(CONFIGURE, "(module_name, module_args, task_vars)", ACTION)),
    change(
        "_configure_module returns more",
        replaced(r"return module_bits, module_path", "return module_bits, module_path, None", ACTION),
        replaced(r"((?:async_)?module_bits), ((?:async_)?module_path)(\)?) =", r"\1, \2, _more\3 =", ACTION),
        since="2.19",
    ),
    change("_compute_environment_string renamed", renamed("_compute_environment_string")),
    change(
        "the environment is told otherwise",
        replaced(r"raw_environment_out\.update\(\w*\)", "raw_environment_out", ACTION),
    ),
    change("_low_level_execute_command renamed", renamed("_low_level_execute_command"), way=HERE),
    change(
        "_low_level_execute_command called once more",
        replaced(r"( +)(res = self\._low_level_execute_command\([^)]*in_data[^)]*\)\n)", r"\1\2\1\2", ACTION),
        way=HERE,
    ),
    change(
        "a command before the module's",
        replaced(r"( +)(# actually execute\n)", r"\1self._low_level_execute_command('true')\n\1\2", ACTION),
    ),
    change(
        "a command after the module's",
        replaced(r"( +)(# parse the main result\n)", r"\1self._low_level_execute_command('true')\n\1\2", ACTION),
        way=HERE,
    ),
    change("_play_context renamed", renamed("_play_context")),
    change("_connection renamed", replaced(r"self\._connection\b", "self._link", ACTIONS)),
    change("_task renamed", replaced(r"self\._task\b", "self._mission", ACTIONS), way=SILENT),
    change("_templar renamed", replaced(r"self\._templar\b", "self._renderer", ACTIONS), way=HERE),
    change("_loader renamed", replaced(r"self\._loader\b", "self._files", ACTIONS)),
    *(
        unprepared(f"_ansible_{name} renamed", *renamed_argument(name))
        for name in ("check_mode", "no_log", "remote_tmp", "keep_remote_files", "tmpdir")
    ),
    unprepared(
        "_ansible_check_mode dead",
        replaced(r"(module_args\['_ansible_check_mode)('\] =)", r"\1\2 \1_moved\2", ACTION),
        replaced(
            r"    'check_mode': (\(.*\),)",
            r"    'check_mode_moved': \1\n    'check_mode': ('dead', False),",
            PARAMETERS,
        ),
    ),
    unprepared(
        "_ansible_tracebacks_for renamed",
        *renamed_argument("tracebacks_for"),
        replaced("'_ansible_tracebacks_for'", "'_ansible_tracebacks_for_moved'", TRACEBACK),
        since="2.19",
    ),
    change("_load_params renamed", renamed("_load_params"), way=HERE),
    change("_load_params dead", *dead("_load_params", "lambda: None", BASIC), way=HERE),
    change(
        "_load_params wants more",
        replaced(r"def _load_params\(self\)", "def _load_params(self, profile)", BASIC),
        replaced(r"self\._load_params\(\)", "self._load_params(None)", BASIC),
        way=HERE,
    ),
    change("UnifiedTaskResult renamed", renamed("UnifiedTaskResult"), way=HERE, since="2.21"),
    change(
        "vvv names the host otherwise",
        replaced(r"(def vvv\(self, msg: str, )host(.*\n.*host=)host", r"\1on\2on", "utils/display.py"),
        replaced(r"(\.vvv\(.*)\bhost=", r"\1on=", "**/*.py"),
        way=SILENT,
    ),
    unprepared("is_trusted_as_template renamed", renamed("is_trusted_as_template"), since="2.19"),
    # The connection plugin.
    change("_connect renamed", replaced(r"\b_connect\b", "_connect_moved", "plugins/**/*.py")),
    change("exec_command renamed", renamed("exec_command")),
    change("exec_command positional", replaced(EXEC, "exec_command(cmd, in_data, sudoable)", ACTION), way=HERE),
    change(
        "exec_command by other names",
        replaced(EXEC, "exec_command(cmd, sudoable=sudoable, data=in_data)", ACTION),
        replaced(r"in_data\b", "data", "plugins/connection/*.py"),
        way=HERE,
    ),
    change("always_pipeline_modules renamed", renamed("always_pipeline_modules")),
    # The process of a module.
    unprepared("_ANSIBLE_ARGS renamed", renamed("_ANSIBLE_ARGS")),
    unprepared("_ANSIBLE_ARGS dead", *dead("_ANSIBLE_ARGS", "None", BASIC)),
    unprepared("_ANSIBLE_PROFILE renamed", renamed("_ANSIBLE_PROFILE"), since="2.19"),
    unprepared("_ANSIBLE_PROFILE dead", *dead("_ANSIBLE_PROFILE", "None", BASIC), since="2.19"),
    unprepared("_PARSED_MODULE_ARGS renamed", renamed("_PARSED_MODULE_ARGS"), since="2.19"),
    change("_PARSED_MODULE_ARGS dead", *dead("_PARSED_MODULE_ARGS", "None", BASIC), way=HERE, since="2.19"),
    unprepared("atexit renamed", replaced(r"\batexit\b", "_atexit", BASIC), replaced("import _atexit", ATEXIT, BASIC)),
    unprepared("atexit dead", replaced(r"\batexit\.", "_atexit.", BASIC), added("\nimport atexit as _atexit\n", BASIC)),
    *(
        planted
        for name in ("_global_warnings", "_global_deprecations")
        for planted in (
            unprepared(f"{name} renamed", renamed(name)),
            unprepared(f"{name} dead", *dead(name, f"type({name}_moved)()", WARNINGS)),
        )
    ),
    unprepared(
        "_internal has moved _traceback",
        moved(TRACEBACK, TRACEBACK.replace("_traceback", "_traces")),
        replaced(r"(?<=_internal\.)_traceback\b", "_traces"),
        replaced(r"(?m)^(\s*from \S*(?:_internal|\.) import [^\n]*)\b_traceback\b", r"\1_traces as _traceback"),
        since="2.19",
    ),
    unprepared(
        "_internal has moved _loader",
        moved("module_utils/_internal/_ansiballz/_loader.py", "module_utils/_internal/_ansiballz/_runner.py"),
        replaced(r"(?<=_ansiballz import )_loader\b", "_runner as _loader"),
        since="2.19",
    ),
    unprepared("is_controller renamed", renamed("is_controller"), since="2.19"),
    unprepared("is_controller dead", *dead("is_controller", "True", INTERNAL), since="2.19"),
    *(
        unprepared(f"{name} renamed", renamed(name), since="2.19")
        for name in (
            "_is_traceback_enabled",
            "_is_module_traceback_enabled",
            "_module_tracebacks_enabled_events",
            "is_traceback_enabled",
            "TracebackEvent",
        )
    ),
    unprepared("_is_traceback_enabled dead", *dead("_is_traceback_enabled", "None", TRACEBACK), since="2.19"),
    unprepared(
        "_module_tracebacks_enabled_events dead",
        *dead("_module_tracebacks_enabled_events", "None", TRACEBACK),
        since="2.19",
    ),
    change("_handle_exception renamed", renamed("_handle_exception"), way=HERE, since="2.19"),
    unprepared("_BuiltModule renamed", renamed("_BuiltModule"), since="2.19"),
    unprepared("_BuiltModule breaks", renamed("_BuiltModule"), added(BREAKS, MODULES), since="2.19"),
    unprepared(
        "_BuiltModule wants more",
        replaced(r"class _BuiltModule:\n", r"class _BuiltModule:\n    origin: str\n", MODULES),
        replaced(r"\b_BuiltModule\(", "_BuiltModule(origin='', ", MODULES),
        since="2.19",
    ),
    unprepared("get_module_encoder renamed", renamed("get_module_encoder"), since="2.19"),
    unprepared("Direction renamed", renamed("Direction"), since="2.19"),
    unprepared("AnsibleJSONEncoder renamed", renamed("AnsibleJSONEncoder"), until="2.18"),
    *(
        unprepared(
            f"_module_legacy_{direction} moved",
            moved(LEGACY.format(direction), LEGACY.format(f"{direction}_moved")),
            replaced(rf"(?<=_){direction}(?=')", f"{direction}_moved", f"{JSON}/__init__.py"),
            since="2.19",
        )
        for direction in ("c2m", "m2c")
    ),
    unprepared("_secret_masker renamed", renamed("_secret_masker"), since="2.22"),
    unprepared("_new_secret_trackers renamed", renamed("_new_secret_trackers"), since="2.22"),
]
