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
    files = [{"path": "open", "content": CONTENT}, {"path": "a/closed", "secret": SECRET}]
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
    for played in (checked, first, again):
        assert "nobody has to see" not in played.output
        assert SECRET not in played.output


@both_ways
def test_everything_in_the_way_is_named_and_nothing_written(player: Player, in_process: str) -> None:
    (player.folder / "folder").mkdir()
    (player.folder / "link").symlink_to("nothing")
    names = ("open", "folder", "link")
    looked = [{"path": name, "name": f"{name}'s name"} for name in names]
    written = [{**file, "content": CONTENT} for file in looked]
    messages = [
        f"folder's name cannot be written to {player.folder}/folder: it is a directory.",
        f"link's name cannot be written to {player.folder}/link: it is a symbolic link.",
    ]
    for arguments in (["--check"], []):
        assert play(player, in_process, looked, *arguments).results[0]["msg"].splitlines() == messages
        assert play(player, in_process, written, *arguments).results[0]["msg"].splitlines() == messages[:1]
    assert files_in(player.folder) == {}
    assert (player.folder / "link").is_symlink()


@both_ways
def test_link_is_replaced_by_what_is_written(player: Player, in_process: str) -> None:
    (player.folder / "open").symlink_to("elsewhere")
    assert play(player, in_process, [{"path": "open", "content": "x"}]).results[0]["changed"]
    assert not (player.folder / "open").is_symlink()
    assert not (player.folder / "elsewhere").exists()


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
