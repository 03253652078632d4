# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that are written: whole, the writer's own, and never by way of what somebody else has put
there.
"""

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ansible_collections.hosting.platform.plugins.module_utils._file_access import (
    os_error_text,
    why_not_writable,
)
from ansible_collections.hosting.platform.plugins.plugin_utils.files._atomic_files import (
    write_atomically,
)

OLD = "what was there"
NEW = "what is written"


@pytest.fixture(autouse=True)
def _usual_umask() -> Iterator[None]:
    before = os.umask(0o027)
    yield
    os.umask(before)


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


@pytest.mark.parametrize(
    ("before", "after"), [(None, 0o640), (0o666, 0o640), (0o444, 0o440), (0o600, 0o600)]
)
def test_file_is_whole_and_nobody_gains_access(
    tmp_path: Path, before: int | None, after: int
) -> None:
    path = tmp_path / "file"
    if before is not None:
        path.write_text(OLD)
        path.chmod(before)
    assert why_not_writable(str(path)) == ""
    write_atomically(str(path), NEW)
    assert path.read_text() == NEW
    assert (mode_of(path), path.lstat().st_uid) == (after, os.geteuid())
    assert os.listdir(tmp_path) == ["file"]


def test_folder_may_be_reached_by_a_link(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder")
    assert why_not_writable(str(tmp_path / "link/file")) == ""
    write_atomically(str(tmp_path / "link/file"), NEW)
    assert (tmp_path / "folder/file").read_text() == NEW


def put_open_file(path: Path) -> None:
    path.touch()
    path.chmod(0o666)


# What may stand in the place of a file, in a folder with a victim and a folder; and what is said of
# it.
IN_THE_WAY: dict[str, tuple[Callable[[Path], object], str]] = {
    "link": (lambda path: path.symlink_to("victim"), "it is a symbolic link"),
    "dangling link": (lambda path: path.symlink_to("nothing"), "it is a symbolic link"),
    "link to a folder": (lambda path: path.symlink_to("folder"), "it is a symbolic link"),
    "hard link": (lambda path: os.link(path.with_name("victim"), path), ""),
    "pipe": (os.mkfifo, "it is not a regular file"),
    "open file": (put_open_file, ""),
}


@pytest.mark.parametrize("kind", IN_THE_WAY)
def test_existing_path_is_reported_and_never_followed(tmp_path: Path, kind: str) -> None:
    put, obstacle = IN_THE_WAY[kind]
    (tmp_path / "victim").write_text(OLD)
    (tmp_path / "folder").mkdir()
    path = tmp_path / "file"
    put(path)
    assert why_not_writable(str(path)) == obstacle
    write_atomically(str(path), NEW)
    assert stat.S_ISREG(path.lstat().st_mode)
    assert (path.read_text(), (tmp_path / "victim").read_text(), mode_of(path)) == (NEW, OLD, 0o640)
    assert os.listdir(tmp_path / "folder") == []


@pytest.mark.parametrize("name", ["folder", "folder/", "folder/.", "folder/..", "new/", "link/"])
def test_directory_is_never_written_into(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder")
    path = f"{tmp_path}/{name}"
    assert why_not_writable(path) == "it is a directory"
    with pytest.raises(OSError, match=r"\w"):
        write_atomically(path, NEW)
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == []


def test_write_that_fails_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    path.write_text(OLD)

    def full(_file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left") as failed:
        write_atomically(str(path), NEW)
    assert os_error_text(failed.value) == "no space left on device"
    assert path.read_text() == OLD
    assert os.listdir(tmp_path) == ["file"]
