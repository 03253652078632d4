# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The module that writes the files of the roles, in both ways of running: what it writes, shows and refuses."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from playing import Play, Player
from sampling import both_ways

CONTENT, SECRET = "{{ '{{' }} a content that nobody has to see twice \u00fc", "secret-0123456789"


def play(player: Player, in_process: str, files: list[dict[str, Any]], *arguments: str, **options: Any) -> Play:
    options = {"folder": str(player.folder), **options}
    task = {"hosting.platform.output_files": {"files": files, **options}, "register": "written"}
    shown = {"ansible.builtin.debug": {"var": "written"}}
    return player.run([task, shown], *arguments, HOSTING_PLATFORM_IN_PROCESS=in_process)


def files_in(folder: Path) -> dict[str, tuple[str, int]]:
    names = {"open", "a/closed"}
    return {
        name: ((folder / name).read_text(), (folder / name).stat().st_mode & 0o777)
        for name in sorted(names)
        if (folder / name).exists()
    }


@both_ways
def test_files_are_written_once_and_shown_nowhere(player: Player, in_process: str) -> None:
    """Nor through a link, which is replaced."""
    files = [{"path": "open", "content": CONTENT}, {"path": "a/closed", "secret": SECRET}]
    (player.folder / "open").symlink_to("elsewhere")
    umask = os.umask(0o022)
    try:
        checked = play(player, in_process, files, "--check", "-vvvv", "--diff")
        assert files_in(player.folder) == {}
        assert not (player.folder / "a").exists()
        first = play(player, in_process, files, "-vvvv", "--diff")
        again = play(player, in_process, files, "-vvvv", "--diff")
    finally:
        os.umask(umask)
    assert [one.results[0]["changed"] for one in (checked, first, again)] == [True, True, False], first.output
    expected = [{"path": f"{player.folder}/{name}", "changed": True} for name in ("open", "a/closed")]
    assert checked.results[0]["files"] == first.results[0]["files"] == expected
    content = "{{ a content that nobody has to see twice \u00fc"
    assert files_in(player.folder) == {"open": (content, 0o644), "a/closed": (SECRET, 0o600)}
    assert not (player.folder / "elsewhere").exists()
    for played in (checked, first, again):
        assert "nobody has to see" not in played.output
        assert SECRET not in played.output


@both_ways
def test_everything_in_the_way_is_named_and_nothing_written(player: Player, in_process: str) -> None:
    folder, target = player.folder / "folder", player.folder / "target"
    folder.mkdir()
    target.write_text("kept")
    for link, to in (("to_folder", folder), ("dangling", player.folder / "nothing"), ("linked", target)):
        (player.folder / link).symlink_to(to)
    os.mkfifo(player.folder / "pipe")
    links = ["to_folder", "linked", str(player.folder / "linked"), "dangling"]
    cases = {
        **dict.fromkeys(links, "it is a symbolic link"),
        **dict.fromkeys(["folder", "folder/", str(folder), f"{folder}/", ".", "~", "to_folder/"], "it is a directory"),
        "pipe": "it is not a regular file",
        "target/file": "not a directory",
        "nu\0ll": "it is not the path of a file",
    }
    looked = [{"path": "open", "name": "The open one"}, *({"path": path, "name": f"{path}'s name"} for path in cases)]
    tasks = [
        {"hosting.platform.output_files": {"files": files, "folder": str(player.folder)}, "check_mode": check}
        for files in (looked, [{**file, "content": CONTENT} for file in looked])
        for check in (True, False)
    ]
    no_folder = {"files": [{"path": "open"}], "folder": "nu\0ll", "other_layout": ["*.yml"]}
    tasks.append({"hosting.platform.output_files": no_folder, "check_mode": False})

    played = player.run(tasks, HOSTING_PLATFORM_IN_PROCESS=in_process, HOME=str(folder))

    places = {path: os.path.join(player.folder, path.replace("~", str(folder))) for path in cases}
    messages = {
        f"{path}'s name cannot be written to {places[path]}: {reason}.".replace("\0", "\\u0000"): reason
        for path, reason in cases.items()
    }
    to_write = [message for message, reason in messages.items() if "a directory" in reason or "path" in reason]
    in_no_folder = "The file cannot be written to nu\\u0000ll/open: it is not the path of a file."
    expected = [list(messages)] * 2 + [to_write] * 2 + [[in_no_folder]]
    assert [result["msg"].splitlines() for result in played.results] == expected
    assert files_in(player.folder) == {}
    assert (player.folder / "dangling").is_symlink()
    assert target.read_text() == "kept"


@both_ways
def test_without_contents_it_only_looks(player: Player, in_process: str) -> None:
    files = [{"path": "a/closed"}, {"path": "~/open"}]
    checked = player.environment | {"HOME": str(player.folder)}
    player.environment = checked
    assert not play(player, in_process, files, "--check").results[0]["changed"]
    assert not (player.folder / "a").exists()
    looked = play(player, in_process, files).results[0]
    assert not looked["changed"]
    assert [file["path"] for file in looked["files"]] == [f"{player.folder}/a/closed", f"{player.folder}/open"]
    assert os.listdir(player.folder / "a") == []
